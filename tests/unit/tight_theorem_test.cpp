// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/vectors.hpp"
#include "doc2s/base/random.hpp"
#include "doc2s/doc2s.hpp"
#include "theory/full_gradient.hpp"

// The theorem with tight constants, run whole on three functions with L = 1 and certified.
namespace doc2s {
namespace {

using Point = std::vector<double>;

// F_i(x; ξ) from x and the sample's own shift of it; the shifts of a client have their own centre.
class Shifted : public Problem<double> {
 public:
  using Function = double (*)(std::span<const double> x, std::span<double> gradient);

  explicit Shifted(Function f) : f_(f), shifts_(clients() * each * dimension()) {
    Random(5, Purpose::synthetic, 0).normals<double>(0, shifts_);
    for (double& shift : shifts_) shift *= 0.3;
  }
  int clients() const override { return 6; }
  Index dimension() const override { return 4; }
  Index samples(int) const override { return each; }
  std::optional<double> lipschitz(int) const override { return 1; }
  std::optional<double> lower_bound(int) const override { return -1; }
  double value(int client, std::span<const Index> batch, std::span<const double> x,
               std::span<double> gradient) const override {
    double sum = 0;
    Point there(x.size()), slope(x.size());
    std::ranges::fill(gradient, 0.0);
    const double share = 1 / static_cast<double>(batch.size());
    for (const Index sample : batch) {
      const double* shift = &shifts_[(client * each + sample) * dimension()];
      for (std::size_t j = 0; j < x.size(); ++j) there[j] = x[j] + shift[j] - 1;
      sum += share * f_(there, slope);
      if (!gradient.empty()) add_scaled<double>(gradient, share, slope);
    }
    return sum;
  }

 private:
  static constexpr Index each = 5;
  Function f_;
  Point shifts_;
};

// Σ |x_j| / √d
double taxi(std::span<const double> x, std::span<double> g) {
  const double share = 1 / std::sqrt(static_cast<double>(x.size()));
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += share * std::abs(x[j]), g[j] = x[j] > 0 ? share : -share;
  return sum;
}

// | ‖x‖ − 1 |: a sphere of minima, a peak in the middle
double sphere(std::span<const double> x, std::span<double> g) {
  const double r = norm<double>(x);
  for (std::size_t j = 0; j < x.size(); ++j) g[j] = (r > 1 ? 1 : -1) * x[j] / r;
  return std::abs(r - 1);
}

// The larger of two sines in directions that are orthogonal.
double sines(std::span<const double> x, std::span<double> g) {
  const double share = 1 / std::sqrt(static_cast<double>(x.size()));
  double along = 2, across = -1;
  for (std::size_t j = 0; j < x.size(); ++j) along += share * x[j], across += (j % 2 ? -share : share) * x[j];
  const bool first = std::sin(along) > std::sin(across);
  for (std::size_t j = 0; j < x.size(); ++j)
    g[j] = first ? share * std::cos(along) : (j % 2 ? -share : share) * std::cos(across);
  return std::max(std::sin(along), std::sin(across));
}

struct Named {
  const char* name;
  Shifted::Function f;
};

void PrintTo(const Named& named, std::ostream* out) { *out << named.name; }

constexpr double delta = 0.3;
constexpr int seeds = 5;

double certified_bound(const GradientFunction& f, std::span<const double> x) {
  return find_certificate(f, x, {.delta = delta, .budget = 60}).certificate.bound;
}

void expect_the_theorem(const Named& function, const std::string& method, const std::string& order,
                        double epsilon) {
  SCOPED_TRACE(fmt::format("{} by {}, {} order", function.name, method, order));
  const Shifted problem(function.f);
  Threads threads(1);
  const GradientFunction f = full_gradient(problem, threads);
  const auto d = static_cast<std::size_t>(problem.dimension());
  ASSERT_GT(certified_bound(f, Point(d)), 2 * epsilon) << "the start is not far from stationary";
  double sum = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    Options options = Options::from_toml(
        "method = { parameters = \"theory\", constants = \"tight\" }\nrun = { threads = 1, record_every = "
        "1000000 }\n");
    options.set("seed", seed).set("method.name", method).set("method.order", order);
    options.set("method.delta", delta).set("method.epsilon", epsilon);
    const Result result = solve(problem, options);
    EXPECT_EQ(result.status, Status::finished);
    ASSERT_EQ(result.outputs.size(), problem.clients() * d);
    for (int i = 0; i < problem.clients(); ++i)
      sum += certified_bound(f, std::span(result.outputs).subspan(i * d, d));
  }
  EXPECT_LE(sum / (seeds * problem.clients()), epsilon);
}

// f(x) = −0.1 min(x, 100) in one dimension, seen through gradients of ±1: a slope barely too steep for ε,
// down to a plain.
class Slope : public Problem<double> {
 public:
  int clients() const override { return 3; }
  Index dimension() const override { return 1; }
  Index samples(int) const override { return 20; }
  std::optional<double> lipschitz(int) const override { return 1; }
  std::optional<double> lower_bound(int) const override { return -slope * edge; }
  double value(int, std::span<const Index> batch, std::span<const double> x,
               std::span<double> gradient) const override {
    double sum = 0;
    for (const Index sample : batch) sum += sample < 11 ? -1 : 1;
    sum /= static_cast<double>(batch.size());
    if (!gradient.empty()) gradient[0] = x[0] < edge ? sum : 0;
    return sum * std::min(x[0], edge);
  }
  static constexpr double slope = 0.1, edge = 100;
};

// Less than 0.45 of the plan's epochs is too few with its D, T and η: every output is on the slope then.
TEST(TightPlan, IsWithinAFactorOfWhatASlopeNeeds) {
  const auto end_after = [](double share) {
    Options options = Options::from_toml(
        "method = { name = \"doc2s-travel\", parameters = \"theory\", constants = \"tight\" }\n"
        "run = { threads = 1, record_every = 1000000 }\n");
    options.set("method.delta", 1).set("method.epsilon", 0.0999);
    const double whole = 152'438;  // K = 169 epochs of T = 902
    options.set("run.budget.iterations", static_cast<Index>(share * whole));
    return solve(Slope(), options).x[0];
  };
  EXPECT_LT(end_after(0.45), Slope::edge - 1);
  EXPECT_GT(end_after(0.55), Slope::edge);
}

class TightTheorem : public ::testing::TestWithParam<Named> {};

TEST_P(TightTheorem, EveryClientsOutputIsStationary) {
  for (const char* method : {"doc2s", "doc2s-travel"}) {
    expect_the_theorem(GetParam(), method, "first", 0.15);
    expect_the_theorem(GetParam(), method, "zeroth", 0.2);
  }
}

INSTANTIATE_TEST_SUITE_P(Functions, TightTheorem,
                         ::testing::Values(Named{"taxi", taxi}, Named{"sphere", sphere},
                                           Named{"sines", sines}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace doc2s
