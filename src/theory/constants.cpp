// SPDX-License-Identifier: Apache-2.0
#include "constants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/long_work.hpp"
#include "base/vectors.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/random.hpp"
#include "problems/gradient_check.hpp"

namespace doc2s {

namespace {

constexpr int points_tried = 5, samples_tried = 32;
constexpr double safety_factor = 2;

// x0 for number 0, else a random point at distance `radius`.
template <class Real>
std::vector<Real> near(std::span<const Real> x0, int number, double radius, const Random& random) {
  std::vector<Real> x(x0.begin(), x0.end()), direction(x0.size());
  if (number == 0) return x;
  random.normals<Real>(0, direction);
  const double length = norm<Real>(direction);
  if (length > 0) add_scaled<Real>(x, static_cast<Real>(radius / length), direction);
  return x;
}

// √ of the mean of ‖∇F_i(x; ξ)‖² over some of the client's samples.
template <class Real>
double gradient_size(const Problem<Real>& problem, int client, std::span<const Real> x, Random random) {
  if (!problem.has_gradient())
    throw Error("the problem has no gradient to sample a Lipschitz constant from", "method.lipschitz",
                "give lipschitz = 1.0, or whatever it is, or the problem a lipschitz(client)");
  std::vector<Real> gradient(x.size());
  double sum = 0;
  for (int k = 0; k < samples_tried; ++k) {
    const Index sample = static_cast<Index>(random.below(problem.samples(client)));
    mark_unset<Real>(gradient);
    problem.value(client, std::span(&sample, 1), x, gradient);
    require_set<Real>(client, gradient);
    sum += dot<Real>(gradient, gradient);
  }
  return std::sqrt(sum / samples_tried);
}

template <class Real>
double sampled_lipschitz(const Problem<Real>& problem, int client, std::span<const Real> x0, double radius,
                         std::uint64_t seed) {
  double largest = 0;
  for (int number = 0; number < points_tried; ++number) {
    const auto random = [&](int draw) {
      return Random(seed, Purpose::constants, client, number, static_cast<std::uint16_t>(draw));
    };
    const std::vector<Real> x = near<Real>(x0, number, radius, random(0));
    largest = std::max(largest, gradient_size<Real>(problem, client, x, random(1)));
  }
  return largest;
}

}  // namespace

template <class Real>
std::vector<ClientConstants> client_constants(const Problem<Real>& problem, ClientRange here, double radius,
                                              std::uint64_t seed, Threads& threads, bool slopes,
                                              LipschitzBound kind) {
  std::vector<Real> x0(static_cast<std::size_t>(problem.dimension()));
  problem.start(seed, x0);
  std::vector<ClientConstants> constants(static_cast<std::size_t>(here.count));
  const LongWork work("asking the problem for its constants");
  std::atomic<Index> done{0};
  threads.each(here.count, [&](Index k) {
    work.go_on(static_cast<double>(done++) / here.count);
    const int client = here.first + static_cast<int>(k);
    const auto bound =
        kind == LipschitzBound::largest ? problem.lipschitz(client) : problem.mean_square_lipschitz(client);
    const auto lower = problem.lower_bound(client);
    constants[k] = {bound    ? *bound
                    : slopes ? sampled_lipschitz<Real>(problem, client, x0, radius, seed)
                             : 0,
                    bound.has_value(), problem.local_value(client, x0),
                    lower ? *lower : std::numeric_limits<double>::quiet_NaN()};
  });
  return constants;
}

template std::vector<ClientConstants> client_constants(const Problem<float>&, ClientRange, double,
                                                       std::uint64_t, Threads&, bool, LipschitzBound);
template std::vector<ClientConstants> client_constants(const Problem<double>&, ClientRange, double,
                                                       std::uint64_t, Threads&, bool, LipschitzBound);

ProblemConstants combined(const std::vector<ClientConstants>& mine, Processes& processes) {
  double largest = 0, start = 0, lower = 0;
  bool bounded = true;
  const auto all = gathered(processes, mine);
  for (const auto& client : all) {
    largest = std::max(largest, client.lipschitz);
    bounded = bounded && client.bounded;
    start += client.start_value / static_cast<double>(all.size());
    lower += client.lower_bound / static_cast<double>(all.size());
  }
  const std::string sampled = fmt::format("sampled: {} times the largest of {} points per client, no bound",
                                          safety_factor, points_tried);
  const Constant slope{bounded ? largest : safety_factor * largest, bounded ? "a bound" : sampled, !bounded};
  ProblemConstants constants{slope, slope, {}};
  if (!std::isnan(lower))
    constants.gap = {std::max(start - lower, 0.0), "a bound: f(x0) less what f cannot fall below"};
  return constants;
}

}  // namespace doc2s
