// SPDX-License-Identifier: Apache-2.0
// Also under the thread sanitizer.
#include "doc2s/oracles/oracle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/vectors.hpp"
#include "doc2s/base/error.hpp"
#include "oracles/directions.hpp"
#include "testing_world.hpp"

namespace doc2s {
namespace {

using testing::Listening;
using testing::Quadratic;

template <class Real>
using Draw = void (*)(const Random&, Direction<Real>&, Threads*);

template <class Real>
std::vector<Real> drawn(Draw<Real> draw, const Random& random, Index d, Threads* threads = nullptr) {
  Direction<Real> z{LargeVector<Real>(d)};
  draw(random, z, threads);
  std::vector<Real> numbers(d);
  z.times(1, numbers);
  return numbers;
}

// z · √(‖normals 0…d−1‖² + the squares of normals d and d + 1) are the normals, wherever a batch of them
// ends.
TEST(Directions, InTheBallAreNormalsOverTheNormOfTwoMore) {
  for (const Index d : {1, 3, 61, 62, 63, 64, 65, 126, 127, 128, 200}) {
    const Random random(3, Purpose::direction, 1, d);
    std::vector<double> normals(d + 2);
    const auto z = drawn<double>(unit_ball, random, d);
    random.normals<double>(0, normals);
    const auto within = std::span<const double>(normals).first(d);
    const double a = normals[d], b = normals[d + 1];
    const double factor = 1 / std::sqrt(dot<double>(within, within) + (a * a + b * b));
    for (Index j = 0; j < d; ++j) ASSERT_EQ(z[j], factor * normals[j]) << "d = " << d;
  }
}

template <class Real>
void expect_the_same_by_threads(Index d) {
  Threads threads(3);
  const Random random(5, Purpose::direction, 2, d);
  for (const Draw<Real> draw : {unit_ball<Real>, unit_sphere<Real>})
    EXPECT_EQ(drawn(draw, random, d, &threads), drawn(draw, random, d)) << "d = " << d;
}

TEST(Directions, HaveTheSameBitsWhereThreadsDrawThemTogether) {
  for (const Index d : {100, 8'191, 8'192, 8'193, 12'287, 12'288, 12'289, 40'001}) {
    EXPECT_EQ(is_long_direction(d), d > 8'192);
    expect_the_same_by_threads<double>(d);
    expect_the_same_by_threads<float>(d);
  }
}

// Radii of uniform points: ‖z‖^d is uniform on [0, 1] for the ball; the largest gap to it is Kolmogorov's
// distance.
TEST(Directions, AreUniformInTheBall) {
  for (const Index d : {1, 2, 3, 10}) {
    constexpr int count = 20'000;
    std::vector<double> level, mean(d), square(d);
    for (int k = 0; k < count; ++k) {
      const auto z = drawn<double>(unit_ball, Random(1, Purpose::direction, 0, k), d);
      level.push_back(std::pow(norm<double>(z), static_cast<double>(d)));
      for (Index j = 0; j < d; ++j) mean[j] += z[j] / count, square[j] += z[j] * z[j] / count;
    }
    std::sort(level.begin(), level.end());
    double gap = 0;
    for (int k = 0; k < count; ++k) gap = std::max(gap, std::abs(level[k] - (k + 0.5) / count));
    EXPECT_LT(gap, 2.2 / std::sqrt(count)) << d;  // exceeded with probability 1e−4
    EXPECT_LE(level.back(), 1);
    for (Index j = 0; j < d; ++j) {
      EXPECT_NEAR(mean[j], 0, 5 / std::sqrt(count * (d + 2.0)));
      EXPECT_NEAR(square[j], 1 / (d + 2.0), 5 * 2 / (d + 2.0) / std::sqrt(count));
    }
  }
}

TEST(Directions, AreUniformOnTheSphere) {
  for (const Index d : {1, 2, 3, 50}) {
    constexpr int count = 20'000;
    double mean = 0, square = 0, fourth = 0;
    for (int k = 0; k < count; ++k) {
      const auto z = drawn<double>(unit_sphere, Random(2, Purpose::direction, 0, k), d);
      ASSERT_NEAR(norm<double>(z), 1, 1e-14);
      mean += z[0] / count, square += z[0] * z[0] / count, fourth += std::pow(z[0], 4) / count;
    }
    const double n = static_cast<double>(d);
    EXPECT_NEAR(mean, 0, 5 / std::sqrt(n * count));
    EXPECT_NEAR(square, 1 / n, 5 * 2 / n / std::sqrt(count));
    EXPECT_NEAR(fourth, 3 / (n * (n + 2)), 5 * 11 / (n * n) / std::sqrt(count));
  }
}

// On the quadratic ∇f_δ = ∇f; the mean of 10⁵ estimates must lie within 5 standard errors of it.
void expect_unbiased(Oracle<double>& oracle, const Problem<double>& problem) {
  constexpr int count = 100'000, client = 1;
  const Index d = problem.dimension();
  std::vector<double> w(d), g(d), mean(d), square(d), truth(d);
  Random(3, Purpose::start).normals<double>(0, std::span(w));
  problem.local_value(client, w, truth);
  for (int k = 0; k < count; ++k) {
    oracle.estimate(client, k, w, g);
    for (Index j = 0; j < d; ++j) mean[j] += g[j] / count, square[j] += g[j] * g[j] / count;
  }
  for (Index j = 0; j < d; ++j) {
    const double error = std::sqrt((square[j] - mean[j] * mean[j]) / count);
    EXPECT_LT(std::abs(mean[j] - truth[j]), 5 * error) << "coordinate " << j;
    EXPECT_GT(error, 0);
  }
}

TEST(Oracles, FirstOrderIsUnbiased) {
  const Quadratic<double> problem(3, 6, 20);
  expect_unbiased(*make_first_order<double>(problem, {2, 0.5, 9}), problem);
}

TEST(Oracles, ZerothOrderIsUnbiased) {
  const Quadratic<double> problem(3, 6, 20);
  expect_unbiased(*make_zeroth_order<double>(problem, {2, 0.5, 9}), problem);
  expect_unbiased(*make_zeroth_order<double>(problem, {.batch = 2, .mu = 0.5, .seed = 9, .directions = 2}),
                  problem);
}

// delta_prime = 0: the plain stochastic gradient at w, to the bit.
TEST(Oracles, WithoutSmoothingTheFirstOrderIsTheGradientItself) {
  const Listening problem(3, 6, 20);
  const auto oracle = make_first_order<double>(problem, {2, 0, 9});
  std::vector<double> w(6), g(6), gradient(6);
  Random(3, Purpose::start).normals<double>(0, std::span(w));
  for (Tick tick = 0; tick < 50; ++tick) {
    oracle->estimate(1, tick, w, g);
    ASSERT_EQ(problem.points.back(), w);
    const auto batch = problem.batches.back();
    problem.value(1, batch, w, gradient);
    ASSERT_EQ(g, gradient);
  }
}

// F(x) = |x| on the line: smoothed over a radius μ its gradient at |w| < μ is w/μ, so a wrong μ or a wrong
// law of z shows.
class AbsoluteValue : public Problem<double> {
 public:
  int clients() const override { return 1; }
  Index dimension() const override { return 1; }
  Index samples(int) const override { return 1; }
  double value(int, std::span<const Index>, std::span<const double> x,
               std::span<double> gradient) const override {
    if (!gradient.empty()) gradient[0] = x[0] > 0 ? 1 : -1;
    return std::abs(x[0]);
  }
};

TEST(Oracles, SmoothAKinkOverTheirRadius) {
  const AbsoluteValue problem;
  constexpr int count = 100'000;
  constexpr double mu = 0.5;
  for (const double w : {-0.4, 0.1, 0.3}) {
    auto first = make_first_order<double>(problem, {1, mu, 4}),
         zeroth = make_zeroth_order<double>(problem, {1, mu, 4});
    double sum = 0, g = 0;
    for (int k = 0; k < count; ++k) {
      first->estimate(0, k, std::span(&w, 1), std::span(&g, 1));
      sum += g / count;
      zeroth->estimate(0, k, std::span(&w, 1), std::span(&g, 1));
      ASSERT_NEAR(g, w / mu, 1e-12);  // on the line the sphere is ±1, so every estimate is exact
    }
    EXPECT_NEAR(sum, w / mu, 5 / std::sqrt(count));
  }
}

template <class Real>
void expect_pure_and_counted(Oracle<Real>& oracle, int evaluations_per_sample) {
  const Index d = 5;
  std::vector<Real> w(d, Real(0.5)), a(d), b(d), c(d);
  oracle.estimate(0, 17, w, a);
  oracle.estimate(1, 17, w, c);
  oracle.estimate(0, 17, w, b);
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
  oracle.estimate(0, 17, w, b, 1);
  EXPECT_NE(a, b);
  oracle.estimate(0, 18, w, b);
  EXPECT_NE(a, b);
  oracle.estimate_again(0, 17, w, b);  // the same chance once more: evaluations, but no samples
  EXPECT_EQ(a, b);
  EXPECT_EQ(oracle.samples(), 5 * 3);
  EXPECT_EQ(oracle.evaluations(), 6 * 3 * evaluations_per_sample);
  EXPECT_NE(oracle.digest(0), oracle.digest(1));
}

TEST(Oracles, ArePureAndCountTheirCalls) {
  const Quadratic<double> problem(2, 5, 20);
  const Quadratic<float> rounded(2, 5, 20);
  expect_pure_and_counted(*make_first_order<double>(problem, {3, 0.1, 1}), 1);
  expect_pure_and_counted(*make_zeroth_order<double>(problem, {3, 0.1, 1}), 2);
  expect_pure_and_counted(
      *make_zeroth_order<double>(problem, {.batch = 3, .mu = 0.1, .seed = 1, .directions = 4}), 8);
  expect_pure_and_counted(*make_first_order<float>(rounded, {3, 0.1, 1}), 1);
  expect_pure_and_counted(*make_zeroth_order<float>(rounded, {3, 0.1, 1}), 2);
}

TEST(Oracles, ZerothOrderTakesTheSameSampleAtBothPoints) {
  const Listening problem(1, 4, 50);
  auto oracle = make_zeroth_order<double>(problem, {3, 0.25, 1});
  std::vector<double> w(4, 1.0), g(4);
  for (int tick = 0; tick < 20; ++tick) {
    problem.batches.clear();
    problem.points.clear();
    oracle->estimate(0, tick, w, g);
    ASSERT_EQ(problem.batches.size(), 2u);
    EXPECT_EQ(problem.batches[0], problem.batches[1]);
    EXPECT_NEAR(distance<double>(problem.points[0], problem.points[1]), 0.5, 1e-14);
    for (int j = 0; j < 4; ++j) EXPECT_NEAR(problem.points[0][j] + problem.points[1][j], 2 * w[j], 1e-14);
  }
}

TEST(Oracles, ZerothOrderAveragesOverDirectionsOnOneSample) {
  constexpr int d = 4, m = 3;
  const Listening problem(2, d, 50);
  auto one = make_zeroth_order<double>(problem, {.batch = 2, .mu = 0.25, .seed = 1}),
       several = make_zeroth_order<double>(problem, {.batch = 2, .mu = 0.25, .seed = 1, .directions = m});
  std::vector<double> w(d, 1.0), g(d), first(d), z, first_z;
  one->observer = [&](const Estimate<double>& estimate) {
    first_z.assign(estimate.z.begin(), estimate.z.end());
  };
  several->observer = [&](const Estimate<double>& estimate) {
    z.assign(estimate.z.begin(), estimate.z.end());
  };
  one->estimate(1, 8, w, first);
  problem.batches.clear();
  problem.points.clear();
  several->estimate(1, 8, w, g);
  EXPECT_EQ(several->samples(), 2);
  EXPECT_EQ(several->evaluations(), 2 * 2 * m);
  ASSERT_EQ(problem.points.size(), 2u * m);
  for (const auto& batch : problem.batches) EXPECT_EQ(batch, problem.batches.front());
  ASSERT_EQ(z.size(), std::size_t{d * m});
  EXPECT_TRUE(std::equal(first_z.begin(), first_z.end(), z.begin())) << "direction 0 is that of m = 1";

  const auto points = problem.points;
  const auto batch = problem.batches.front();
  std::vector<double> mean(d);
  for (int k = 0; k < m; ++k) {
    const double difference =
        problem.value(1, batch, points[2 * k], {}) - problem.value(1, batch, points[2 * k + 1], {});
    const std::span<const double> z_k(&z[d * k], d);
    EXPECT_NEAR(norm<double>(z_k), 1, 1e-14);
    for (int j = 0; j < d; ++j) {
      EXPECT_NEAR(points[2 * k][j], w[j] + 0.25 * z_k[j], 1e-14);
      mean[j] += d / (2 * 0.25) * difference * z_k[j] / m;
    }
    for (int other = 0; other < k; ++other)
      EXPECT_GT(distance<double>(z_k, std::span<const double>(&z[d * other], d)), 1e-3);
  }
  for (int j = 0; j < d; ++j) EXPECT_NEAR(g[j], mean[j], 1e-12);
}

TEST(Oracles, DirectionsOfDifferentClientsAndDrawsDiffer) {
  constexpr int d = 4, m = 3;
  const Quadratic<double> problem(2, d, 50);
  auto oracle = make_zeroth_order<double>(problem, {.batch = 2, .mu = 0.25, .seed = 1, .directions = m});
  std::set<std::vector<double>> seen;
  oracle->observer = [&](const Estimate<double>& estimate) {
    for (int k = 0; k < m; ++k) seen.emplace(estimate.z.begin() + d * k, estimate.z.begin() + d * (k + 1));
  };
  std::vector<double> w(d, 1.0), g(d);
  for (int client = 0; client < 2; ++client)
    for (const Tick tick : {0, 1}) {
      oracle->estimate(client, tick, w, g);
      oracle->estimate(client, tick, w, g, 1);
    }
  EXPECT_EQ(seen.size(), 2u * 2 * 2 * m);
  oracle->estimate_again(0, 0, w, g);
  EXPECT_EQ(seen.size(), 2u * 2 * 2 * m) << "the same directions at another point";
}

TEST(Oracles, TheObserverSeesWhatWasUsed) {
  const Listening problem(2, 4, 50);
  auto oracle = make_first_order<double>(problem, {3, 0.25, 1});
  std::vector<double> w(4, 1.0), g(4);
  int calls = 0;
  oracle->observer = [&](const Estimate<double>& estimate) {
    ++calls;
    EXPECT_EQ(estimate.client, 1);
    EXPECT_EQ(estimate.tick, 8);
    EXPECT_TRUE(std::ranges::equal(estimate.batch, problem.batches.back()));
    for (int j = 0; j < 4; ++j) EXPECT_EQ(w[j] + 0.25 * estimate.z[j], problem.points.back()[j]);
    EXPECT_TRUE(std::ranges::equal(estimate.g, g));
  };
  oracle->estimate(1, 8, w, g);
  EXPECT_EQ(calls, 1);
}

TEST(Oracles, ALossThatIsNotFiniteIsDivergence) {
  const Quadratic<double> problem(1, 2, 5);
  auto oracle = make_first_order<double>(problem, {1, 0.1, 1});
  std::vector<double> w(2, 1e200), g(2);
  EXPECT_THROW(oracle->estimate(0, 0, w, g), Diverged);
}

}  // namespace
}  // namespace doc2s
