// SPDX-License-Identifier: Apache-2.0
#include "evaluated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/subset.hpp"

namespace doc2s {

namespace {

// Clients: a loss takes about a microsecond each, and 10⁴ of them give the mean to about a percent. Where
// every client has a point of its own, they are asked at n points.
constexpr Index most_asked = 10'000, fewest_asked = 100, most_losses = 20'000'000;

// A key that no client's own samples have.
Random random_of_clients(const Config& config) {
  constexpr std::uint16_t draw = 1;
  return {config.seed(), Purpose::evaluation, 0, 0, draw};
}

std::vector<int> asked_clients(const Config& config, Index count, int n, ClientRange here) {
  std::vector<int> asked;
  for (const Index client : random_subset(n, count, random_of_clients(config)))
    if (here.contains(static_cast<int>(client))) asked.push_back(static_cast<int>(client));
  return asked;
}

}  // namespace

Index Evaluated::count() const {
  Index sum = 0;
  for (const auto& chosen : samples) sum += std::ssize(chosen);
  return sum;
}

template <class Real>
Evaluated choose_evaluated(const Config& config, const Problem<Real>& problem, ClientRange here) {
  const int n = problem.clients();
  constexpr Index all = std::numeric_limits<Index>::max();
  const Index wanted = config.problem.has("evaluation") ? config.problem.integer("evaluation") : all;
  const Index each = wanted == all ? all : (wanted + n - 1) / n;
  const int everywhere = static_cast<int>(std::min<Index>(wanted, n));
  Evaluated chosen{asked_clients(config, everywhere, n, here), {}, everywhere};
  for (const int i : chosen.clients)
    chosen.samples.push_back(
        random_subset(problem.samples(i), each, Random(config.seed(), Purpose::evaluation, i)));
  return chosen;
}

Config with_evaluation(Config config, int clients, bool own_points) {
  if (config.problem.has("evaluation") || clients <= most_asked) return config;
  const Index asked = own_points ? std::clamp(most_losses / clients, fewest_asked, most_asked) : most_asked;
  config.problem.set("evaluation", asked);
  config.notices.push_back(
      fmt::format("the losses in records are estimated on one sample each of {} of the {} clients; "
                  "problem.evaluation sets "
                  "how many",
                  asked, clients));
  return config;
}

template Evaluated choose_evaluated(const Config&, const Problem<float>&, ClientRange);
template Evaluated choose_evaluated(const Config&, const Problem<double>&, ClientRange);

}  // namespace doc2s
