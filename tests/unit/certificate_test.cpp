// SPDX-License-Identifier: Apache-2.0
// Also under the thread sanitizer.
#include "theory/certificate.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "base/vectors.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/random.hpp"
#include "doc2s/run/configs.hpp"
#include "run/certify.hpp"
#include "theory/kink.hpp"
#include "theory/outward.hpp"

namespace doc2s {
namespace {

using Point = std::vector<double>;

double sign(double x) { return static_cast<double>(x > 0) - static_cast<double>(x < 0); }

double l1(std::span<const double> x, std::span<double> g) {
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += std::abs(x[j]), g[j] = sign(x[j]);
  return sum;
}

// x₁² − |x₂|
double saddle(std::span<const double> x, std::span<double> g) {
  g[0] = 2 * x[0];
  g[1] = -sign(x[1]);
  return x[0] * x[0] - std::abs(x[1]);
}

GradientFunction largest_of(std::vector<Point> slopes) {
  return [slopes](std::span<const double> x, std::span<double> g) {
    double most = -INFINITY;
    for (const auto& slope : slopes)
      if (const double value = dot<double>(slope, x); value > most) {
        most = value;
        std::copy(slope.begin(), slope.end(), g.begin());
      }
    return most;
  };
}

Point random_point(Index d, std::uint32_t which, double scale) {
  Point x(static_cast<std::size_t>(d));
  Random(9, Purpose::synthetic, which).normals<double>(0, x);
  for (double& number : x) number *= scale;
  return x;
}

// The bound found, after the certificate was checked anew and every point found in the ball, in long double.
double bound(const GradientFunction& f, const Point& centre, double delta, Index budget = 60) {
  const CertificateFound found = find_certificate(f, centre, {.delta = delta, .budget = budget});
  const Certificate& certificate = found.certificate;
  EXPECT_LE(found.gradients, budget);
  EXPECT_EQ(certificate.centre, centre);
  for (const auto& point : certificate.points) {
    long double sum = 0;
    for (std::size_t j = 0; j < point.size(); ++j)
      sum +=
          (static_cast<long double>(point[j]) - centre[j]) * (static_cast<long double>(point[j]) - centre[j]);
    EXPECT_LE(std::sqrt(sum), static_cast<long double>(delta));
  }
  const CertificateChecked checked = check_certificate(certificate, f, "test");
  EXPECT_EQ(checked.bound, certificate.bound);
  EXPECT_EQ(checked.kink, found.kink);
  return certificate.bound;
}

TEST(Certificate, AbsoluteValues) {
  for (const Index d : {1, 2, 5, 20}) {
    EXPECT_LT(bound(l1, random_point(d, 1, 0.01 / std::sqrt(d)), 0.1), 1e-6) << d;
    Point away(d, 3.0);
    EXPECT_NEAR(bound(l1, away, 0.1), std::sqrt(d), 1e-9) << d;
  }
  EXPECT_NEAR(bound(l1, {0.05, 7}, 0.1), 1, 1e-6);  // only the first can change its sign
  EXPECT_NEAR(bound(l1, {0.09, 0.09, 0.09}, 0.1), std::sqrt(3) / 3, 0.03);  // one at a time: (1 − 2/3) each
}

TEST(Certificate, LargestOfLinearFunctions) {
  const std::vector<Point> slopes = {{1, 0}, {-1, 2}, {-1, -2}};
  EXPECT_LT(bound(largest_of(slopes), {0.01, 0.02}, 0.1), 1e-6);
  // Far along the ridge between the second and the third: (−1, 2) and (−1, −2) have (−1, 0) between them.
  EXPECT_NEAR(bound(largest_of(slopes), {-5, 0.03}, 0.1), 1, 1e-6);
  EXPECT_NEAR(bound(largest_of(slopes), {5, 0.01}, 0.1), 1, 1e-6);
  EXPECT_NEAR(bound(largest_of(slopes), {-5, 2}, 0.1), std::sqrt(5), 1e-9);
}

TEST(Certificate, Saddle) {
  EXPECT_LT(bound(saddle, {0.01, 0.02}, 0.1), 1e-6);
  EXPECT_LT(bound(saddle, {0, 0}, 0.1), 1e-6);
  const double least = 2 * (0.3 - std::sqrt(0.1 * 0.1 - 0.01 * 0.01));  // and 2·0.2 on the other side
  EXPECT_LT(bound(saddle, {0.3, 0.01}, 0.1), 1.05 * least);
  EXPECT_GE(bound(saddle, {0.3, 0.01}, 0.1), 0.4);
  EXPECT_GE(bound(saddle, {0.3, 0.2}, 0.1), 1);  // the ridge is out of reach
}

// Falls with slope 1 along x₁, but for a step up between 0.06 and 0.07: gradients at both ends of the ball
// agree, and chance does not go that far along one of 50 coordinates.
TEST(Certificate, AKinkInTheMiddleOfTheLine) {
  const GradientFunction f = [](std::span<const double> x, std::span<double> g) {
    const bool rises = x[0] > 0.06 && x[0] < 0.07;
    std::fill(g.begin(), g.end(), 0.0);
    g[0] = rises ? 6 : -1;
    return -x[0] + 7 * (std::clamp(x[0], 0.06, 0.07) - 0.06);
  };
  EXPECT_LT(bound(f, Point(50, 0.0), 0.1), 1e-6);
  EXPECT_NEAR(bound(f, Point(50, -1.0), 0.1), 1, 1e-12);
}

// min ‖c + A s‖ over ‖s‖ ≤ δ: (AᵀA + μI) s = −Aᵀc with the least μ ≥ 0 that keeps s in the ball.
double least_in_ball(const Eigen::MatrixXd& A, const Eigen::VectorXd& c, double delta) {
  const auto step = [&](double mu) -> Eigen::VectorXd {
    const Eigen::MatrixXd shifted = A.transpose() * A + mu * Eigen::MatrixXd::Identity(A.cols(), A.cols());
    return -shifted.ldlt().solve(A.transpose() * c);
  };
  double low = 1e-14, high = 1e8;
  if (step(low).norm() <= delta) return (c + A * step(low)).norm();
  for (int k = 0; k < 200; ++k) {
    const double middle = std::sqrt(low * high);
    (step(middle).norm() > delta ? low : high) = middle;
  }
  return (c + A * step(high)).norm();
}

TEST(Certificate, SmoothQuadratics) {
  int outside = 0;
  for (std::uint32_t which = 0; which < 24; ++which) {
    const Index d = which % 3 == 0 ? 2 : which % 3 == 1 ? 10 : 40;
    const double delta = which % 2 == 0 ? 0.1 : 1, condition = which % 4 < 2 ? 3 : 50;
    const Eigen::MatrixXd noise =
        Eigen::Map<Eigen::MatrixXd>(random_point(d * d, 10 + which, 1).data(), d, d);
    const Eigen::MatrixXd Q = noise.householderQr().householderQ();
    Eigen::VectorXd curvature(d);
    for (Index j = 0; j < d; ++j)
      curvature(j) = std::pow(condition, -double(j) / double(d)) * (which % 5 == 0 && j % 3 == 1 ? -1 : 1);
    const Eigen::MatrixXd A = Q * curvature.asDiagonal() * Q.transpose();
    const Point centre = random_point(d, 100 + which, 1);
    const GradientFunction f = [&](std::span<const double> x, std::span<double> g) {
      const Eigen::Map<const Eigen::VectorXd> point(x.data(), d);
      Eigen::Map<Eigen::VectorXd>(g.data(), d) = A * point;
      return 0.5 * point.dot(A * point);
    };
    const double least = least_in_ball(A, A * Eigen::Map<const Eigen::VectorXd>(centre.data(), d), delta);
    const double found = bound(f, centre, delta);
    EXPECT_GE(found, least * (1 - 1e-9)) << which;
    EXPECT_LE(found, 1.05 * least + 1e-6) << which;
    outside += least > 1e-3;
  }
  EXPECT_GT(outside, 12);
}

TEST(Certificate, PointsStayInTheBallWhateverItsSize) {
  for (const double delta : {1e-12, 1e-3, 0.1, 1e3, 1e90})
    for (const double size : {0.0, 1.0, 1e8}) bound(l1, random_point(7, 50, size), delta);
}

TEST(Certificate, AKinkIsFoundWhateverTheCodeTakesThere) {
  const auto kink = [](const GradientFunction& f, const Point& x, double delta = 0.1) {
    Point gradient(x.size());
    f(x, gradient);
    return has_kink(f, x, gradient, delta, 1);
  };
  EXPECT_TRUE(kink(l1, {0, 3}));
  EXPECT_TRUE(kink(saddle, {2, 0}));
  EXPECT_FALSE(kink(l1, {1e-3, 3}));
  EXPECT_FALSE(kink(saddle, {0, 1e-6}));
  for (const double at_kink : {0.0, 1.0, 0.5, -7.0}) {  // max{x, 0} + x²
    const GradientFunction hinge = [at_kink](std::span<const double> x, std::span<double> g) {
      g[0] = (x[0] > 0 ? 1 : x[0] < 0 ? 0 : at_kink) + 2 * x[0];
      return std::max(x[0], 0.0) + x[0] * x[0];
    };
    EXPECT_TRUE(kink(hinge, {0})) << at_kink;
    EXPECT_FALSE(kink(hinge, {1}));
    EXPECT_FALSE(kink(hinge, {0.001}, 10));
    EXPECT_NEAR(bound(hinge, {0}, 1e-12), 0, 1e-6) << at_kink;  // never the −7 of a code that is wrong there
    const CertificateFound first = find_certificate(hinge, Point{0}, {.delta = 1e-9, .budget = 1});
    EXPECT_TRUE(first.kink);
    EXPECT_TRUE(std::abs(first.certificate.bound) < 1e-8 || std::abs(first.certificate.bound - 1) < 1e-8);
  }
  for (std::uint32_t which = 0; which < 50; ++which)  // curved, and no kink
    EXPECT_FALSE(kink(
        [](std::span<const double> x, std::span<double> g) {
          double sum = 0;
          for (std::size_t j = 0; j < x.size(); ++j) sum += std::sin(9 * x[j]), g[j] = 9 * std::cos(9 * x[j]);
          return sum;
        },
        random_point(20, which, 1)));
}

TEST(Certificate, NumbersAreRoundedUp) {
  EXPECT_EQ(rounded_up(0.12341, 4), "0.1235");
  EXPECT_EQ(rounded_up(0.1234, 4), "0.1234");
  EXPECT_EQ(rounded_up(0, 4), "0");
  EXPECT_EQ(rounded_up(0.99999, 4), "1");
  EXPECT_EQ(rounded_up(9.99999e-7, 4), "1e-06");
  EXPECT_EQ(rounded_up(INFINITY, 4), "inf");
  for (std::uint32_t which = 0; which < 1000; ++which) {
    const double x = std::exp(10 * random_point(1, which, 1)[0]);
    const double up = std::stod(rounded_up(x, 4));
    EXPECT_GE(up, x);
    EXPECT_LE(up, 1.0011 * x);
    EXPECT_GE(length_above(Point{x, 2 * x, 2 * x}), 3 * x);
  }
}

TEST(Certificate, StopsAtEpsilonOrAtTheBudget) {
  const Point centre = {0.01, 0.02};
  const CertificateFound loose = find_certificate(l1, centre, {.delta = 0.1, .epsilon = 2});
  EXPECT_EQ(loose.gradients, 1);
  EXPECT_LE(find_certificate(l1, centre, {.delta = 0.1, .epsilon = 0.1}).certificate.bound, 0.1);
  const CertificateFound far = find_certificate(l1, Point{5, 5}, {.delta = 0.1, .budget = 17});
  EXPECT_EQ(far.gradients, 17);
  EXPECT_EQ(find_certificate(l1, Point{5, 5}, {.delta = 0.1, .budget = 1}).gradients, 1);
}

TEST(Certificate, TheBoundNeverGrows) {
  double before = INFINITY;
  Index told = 0;
  CertificateSearch search{.delta = 0.1};
  search.on_progress = [&](Index gradients, double bound) {
    EXPECT_EQ(gradients, ++told);
    EXPECT_LE(bound, before);
    before = bound;
  };
  find_certificate(saddle, Point{0.3, 0.01}, search);
  EXPECT_EQ(told, 60);
}

// A largest of 40 linear functions in 60 dimensions: at a point where many are alike, many gradients have
// weight.
GradientFunction many_kinks() {
  std::vector<Point> slopes;
  for (std::uint32_t k = 0; k < 40; ++k) slopes.push_back(random_point(60, 100 + k, 1));
  return largest_of(slopes);
}

constexpr double bytes_for(double members, double d) { return (16 * d + 4 * members) * members + 64 * d; }

TEST(Certificate, LittleMemoryKeepsFewGradients) {
  EXPECT_EQ(most_kept(bytes_for(8, 60) + 1, 60), 8);
  EXPECT_EQ(most_kept(2e9, 11173962), 7);  // a ResNet-18
  EXPECT_GE(most_kept(2e9, 1900000), 60);
  EXPECT_EQ(most_kept(1, 1000), 4);
  EXPECT_FALSE(memory_note({.delta = 0.1}, 1900000));
  const auto note = memory_note({.delta = 0.1}, 11173962);
  ASSERT_TRUE(note);
  EXPECT_NE(note->find("keeps 7 gradients at a time, in 2 GB, as all 60"), std::string::npos) << *note;
}

TEST(Certificate, LittleMemoryStillProvesItsBound) {
  const GradientFunction f = many_kinks();
  const Point centre = random_point(60, 3, 1e-4);
  const double all = find_certificate(f, centre, {.delta = 0.1, .budget = 200}).certificate.bound;
  double least = INFINITY;
  for (const Index kept : {4, 8, 16, 32}) {
    double before = INFINITY;
    CertificateSearch search{
        .delta = 0.1, .budget = 200, .memory = bytes_for(static_cast<double>(kept), 60) + 1};
    search.on_progress = [&](Index, double bound) {
      EXPECT_LE(bound, before);
      before = bound;
    };
    const Certificate found = find_certificate(f, centre, search).certificate;
    EXPECT_LT(std::ssize(found.points), kept);
    EXPECT_EQ(check_certificate(found, f, "test").bound, found.bound);
    EXPECT_LT(found.bound, least) << kept;
    least = found.bound;
  }
  EXPECT_LT(all, least);
}

TEST(Certificate, EnoughMemoryChangesNothing) {
  const GradientFunction f = many_kinks();
  const Point centre = random_point(60, 3, 1e-4);
  const Certificate all = find_certificate(f, centre, {.delta = 0.1}).certificate;
  const Certificate within =
      find_certificate(f, centre, {.delta = 0.1, .memory = bytes_for(61, 60) + 1}).certificate;
  EXPECT_EQ(within.points, all.points);
  EXPECT_EQ(within.weights, all.weights);
}

TEST(Certificate, TheSameSeedAsksTheSamePoints) {
  const Point centre = random_point(12, 60, 0.05);
  const auto points = [&](std::uint64_t seed) {
    std::vector<Point> asked;
    const GradientFunction f = [&](std::span<const double> x, std::span<double> g) {
      asked.emplace_back(x.begin(), x.end());
      return l1(x, g) + 0.1 * x[0];
    };
    find_certificate(f, centre, {.delta = 0.01, .seed = seed});
    return asked;
  };
  EXPECT_EQ(points(1), points(1));
  EXPECT_NE(points(1), points(2));
}

TEST(Certificate, WhereTheFunctionIsNotFinite) {
  const GradientFunction log_barrier = [](std::span<const double> x, std::span<double> g) {
    g[0] = -1 / x[0];
    return -std::log(x[0]);  // NaN where x < 0
  };
  EXPECT_THROW(find_certificate(log_barrier, Point{-1.0}, {.delta = 0.1}), Error);
  EXPECT_NEAR(bound(log_barrier, {0.05}, 0.1), 1 / 0.15, 1e-2);
}

TEST(Certificate, FalseOnesAreRefused) {
  const Point centre = {0.05, 3};
  const Certificate good = find_certificate(l1, centre, {.delta = 0.1}).certificate;
  ASSERT_GE(good.points.size(), 2u);
  const auto refused = [&](auto change, const std::string& says) {
    Certificate bad = good;
    change(bad);
    try {
      check_certificate(bad, l1, "it");
      ADD_FAILURE() << "accepted: " << says;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
    }
  };
  refused([](Certificate& c) { c.bound *= 0.99; }, "claims");
  refused([](Certificate& c) { c.points[1][0] += 0.2; }, "outside the ball");
  refused([](Certificate& c) { c.delta = 0.01; }, "outside the ball");
  refused([](Certificate& c) { c.delta = 0; }, "delta");
  refused([](Certificate& c) { c.delta = -1; }, "delta");
  refused([](Certificate& c) { c.delta = NAN; }, "delta");
  refused([](Certificate& c) { c.weights[0] = -0.5, c.weights[1] = 1.5; }, "negative");
  refused([](Certificate& c) { c.weights[0] += 1e-6; }, "add up");
  refused(
      [](Certificate& c) {
        for (double& w : c.weights) w *= 0.5;
      },
      "add up");
  refused([](Certificate& c) { c.weights[0] = NAN; }, "not finite");
  refused([](Certificate& c) { c.points[0][1] = INFINITY; }, "not finite");
  refused([](Certificate& c) { c.points[0].pop_back(); }, "numbers");
  refused([](Certificate& c) { c.points.pop_back(); }, "weights for");
  refused([](Certificate& c) { c.points[0] = c.points[1]; }, "claims");
  refused([](Certificate& c) { c.bound = -1; }, "bound");
  refused([](Certificate& c) { c.value += 1e-3; }, "value");
  refused([](Certificate& c) { c.weights.clear(), c.points.clear(); }, "weights");
  Certificate weaker = good;  // true, though not the best
  weaker.bound = 2;
  EXPECT_NO_THROW(check_certificate(weaker, l1, "it"));
}

// Every problem that a config can name: certified at its start, checked again, the same bits on any threads.
// But for those of libtorch, which is not in every build and slow in float64.
TEST(Certificate, EveryProblemKind) {
  for (const auto& kind : problem_kinds()) {
    if (kind.name == "resnet18" || kind.name == "torchscript" || kind.name == own_problem_name) continue;
    const auto with_threads = [&](const char* threads, Index sampled) {
      const Config config = default_config(
          {change_from("problem.name=" + kind.name), change_from("problem.size=120"),
           change_from("problem.dimension=9"), change_from("clients.count=5"), change_from(threads)});
      CertifiedProblem problem(config);
      Point start(static_cast<std::size_t>(problem.problem().dimension()));
      problem.problem().start(1, start);
      for (double& number : start) number += 0.01;
      const GradientFunction f = problem.gradient(sampled, 1);
      Certificate found = find_certificate(f, start, {.delta = 0.1, .budget = 20}).certificate;
      EXPECT_EQ(check_certificate(found, f, kind.name).bound, found.bound);
      return found;
    };
    const Certificate one = with_threads("run.threads=1", 0), two = with_threads("run.threads=2", 0);
    EXPECT_GT(one.bound, 0) << kind.name;
    EXPECT_EQ(one.bound, two.bound) << kind.name;
    EXPECT_EQ(one.points, two.points) << kind.name;
    EXPECT_EQ(one.weights, two.weights) << kind.name;
    EXPECT_NE(with_threads("run.threads=1", 3).bound, one.bound) << kind.name;
    EXPECT_EQ(with_threads("run.threads=1", 1000).bound, one.bound) << kind.name;
  }
}

// ∇f = (1/n) Σ_i ∇f_i, each over all samples.
TEST(Certificate, TheFullGradientIsTheMeanOfTheClients) {
  CertifiedProblem problem(default_config({change_from("problem.size=100"), change_from("clients.count=7")}));
  const Index d = problem.problem().dimension();
  const Point x = random_point(d, 70, 0.3);
  Point gradient(x.size()), one(x.size()), sum(x.size());
  const double value = problem.gradient(0, 1)(x, gradient).value;
  for (int i = 0; i < 7; ++i) {
    problem.problem().local_value(i, x, one);
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += one[j];
  }
  for (std::size_t j = 0; j < sum.size(); ++j) EXPECT_EQ(gradient[j], sum[j] / 7);
  EXPECT_EQ(value, problem.problem().global_value(x));
}

}  // namespace
}  // namespace doc2s
