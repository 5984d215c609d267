// SPDX-License-Identifier: Apache-2.0
#include "slope_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/vectors.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/random.hpp"
#include "gradient_check.hpp"

namespace doc2s {

namespace {

constexpr int most_clients = 3, draws_each = 6, fewest_draws = 3;
constexpr double bend = 0.05;   // slopes of two steps differ by more: the value is not straight there
constexpr double apart = 0.3;   // of the larger one, and the two slopes are different
constexpr double spread = 0.1;  // of the points from x0, as a standard deviation

// Halves differ by rounding alone where they are far above the numbers' own precision.
template <class Real>
constexpr double step = sizeof(Real) == 8 ? 1e-4 : 1e-2;

bool differ(double a, double b, double share) {
  return std::abs(a - b) > share * std::max(std::abs(a), std::abs(b));
}

// One client's value and slopes at a point.
template <class Real>
class SlopesOfClient {
 public:
  SlopesOfClient(const Problem<Real>& problem, int client, Index batch, std::span<const Real> x0)
      : problem_(problem), client_(client), x0_(x0), x_(x0.size()), v_(x0.size()), moved_(x0.size()) {
    for (Index k = 0; k < std::min(batch, problem.samples(client)); ++k) batch_.push_back(k);
  }

  bool repeats() const { return at(x0_) == at(x0_); }

  // A point near x0 and a direction of length 1.
  void draw(std::uint64_t seed, int number) {
    const Random point(seed, Purpose::gradient_check, client_, number, 0);
    const Random direction(seed, Purpose::gradient_check, client_, number, 1);
    point.normals<Real>(0, x_);
    for (std::size_t j = 0; j < x_.size(); ++j) x_[j] = x0_[j] + static_cast<Real>(spread) * x_[j];
    direction.normals<Real>(0, v_);
    const double length = norm<Real>(v_);
    for (Real& number_j : v_) number_j = static_cast<Real>(number_j / length);
  }

  // (F(x + hv) − F(x − hv)) / 2h, after along_gradient(); NaN where the value bends between two steps or is
  // lost in rounding.
  double difference() const {
    const double h = step<Real>, far = slope(h), near = slope(h / 4);
    const double rounding = 1e3 * std::numeric_limits<Real>::epsilon() * std::abs(value_) / h;
    const bool usable = std::abs(near) > rounding && !differ(far, near, bend);
    return usable ? near : std::numeric_limits<double>::quiet_NaN();
  }

  double along_gradient() {
    std::vector<Real> gradient(x_.size());
    mark_unset<Real>(gradient);
    value_ = problem_.value(client_, batch_, x_, gradient);
    if (!std::isfinite(value_)) return std::numeric_limits<double>::quiet_NaN();
    require_set<Real>(client_, gradient);
    const auto lost = std::ranges::count_if(gradient, [](Real g) { return !std::isfinite(g); });
    if (lost > 0)
      throw Error(fmt::format("{} of {} numbers of the gradient are not finite where the value is", lost,
                              gradient.size()),
                  fmt::format("client {}", client_), "mend value()");
    return dot<Real>(gradient, v_);
  }

 private:
  double at(std::span<const Real> x) const { return problem_.value(client_, batch_, x, {}); }
  double moved(double h) const {
    for (std::size_t j = 0; j < x_.size(); ++j) moved_[j] = x_[j] + static_cast<Real>(h) * v_[j];
    return at(moved_);
  }
  double slope(double h) const { return (moved(h) - moved(-h)) / (2 * h); }

  const Problem<Real>& problem_;
  int client_;
  std::vector<Index> batch_;
  std::span<const Real> x0_;
  std::vector<Real> x_, v_;
  mutable std::vector<Real> moved_;
  double value_ = 0;  // F(x)
};

struct Comparison {
  double of_gradient, of_values;

  bool is_usable() const { return std::isfinite(of_gradient) && std::isfinite(of_values); }
  bool agrees() const { return !differ(of_gradient, of_values, apart); }
};

std::string fault_in(const std::vector<Comparison>& all) {
  const auto every = [&](auto holds) { return std::ranges::all_of(all, holds); };
  if (every([](const Comparison& one) { return one.of_gradient == 0; })) return "the gradient is all zero";
  if (every([](const Comparison& one) { return !differ(-one.of_gradient, one.of_values, apart); }))
    return "the gradient has the wrong sign";
  return "the gradient is not that of the value";
}

[[noreturn]] void refuse(int client, Index dimension, const std::vector<Comparison>& all) {
  throw Error(
      fmt::format("{}: along {} random directions its slope is never that of the value, such as {:.3g} "
                  "where the value's is {:.3g}",
                  fault_in(all), all.size(), all.front().of_gradient, all.front().of_values),
      fmt::format("client {}, gradient of {} numbers", client, dimension),
      "mend value(), take order = \"zeroth\", or set problem.check_gradient = false");
}

// One draw that agrees is enough: a call of a user's value() may take long.
template <class Real>
void compare(SlopesOfClient<Real>& slopes, std::uint64_t seed, int client, Index dimension) {
  std::vector<Comparison> all;
  for (int number = 0; number < draws_each; ++number) {
    slopes.draw(seed, number);
    const double of_gradient = slopes.along_gradient();
    const Comparison one{of_gradient, slopes.difference()};
    if (!one.is_usable()) continue;
    if (one.agrees()) return;
    all.push_back(one);
  }
  if (std::ssize(all) >= fewest_draws) refuse(client, dimension, all);
}

}  // namespace

template <class Real>
std::string check_slopes(const Problem<Real>& problem, ClientRange here, Index batch, std::uint64_t seed,
                         std::span<const Real> x0) {
  if (has_state(problem)) return "the gradient is not checked, as value() has state";
  const int clients = std::min(here.count, most_clients);
  for (int k = 0; k < clients; ++k) {
    const int client = here.first + static_cast<int>(static_cast<Index>(k) * here.count / clients);
    SlopesOfClient<Real> slopes(problem, client, batch, x0);
    if (!slopes.repeats())
      return "the gradient is not checked, as value() differs from call to call at the same point";
    compare(slopes, seed, client, problem.dimension());
  }
  return "";
}

template std::string check_slopes(const Problem<float>&, ClientRange, Index, std::uint64_t,
                                  std::span<const float>);
template std::string check_slopes(const Problem<double>&, ClientRange, Index, std::uint64_t,
                                  std::span<const double>);

}  // namespace doc2s
