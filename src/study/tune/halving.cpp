// SPDX-License-Identifier: Apache-2.0
#include "halving.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace doc2s {

namespace {

constexpr double rung_shares[] = {1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2, 1};
constexpr int fewest_kept = 3;

}  // namespace

std::vector<Rung> rungs_for(int trials) {
  std::vector<Rung> rungs;
  for (const double share : rung_shares) {
    rungs.push_back({share, trials});
    trials = std::max(std::min(trials, fewest_kept), (trials + 1) / 2);
  }
  return rungs;
}

double cost_in_runs(const std::vector<Rung>& rungs) {
  double cost = 0, before = 0;
  for (const auto& [share, trials] : rungs) {
    cost += trials * (share - before);
    before = share;
  }
  return cost;
}

std::vector<int> lowest(const std::vector<double>& worths, int keep) {
  std::vector<int> places(worths.size());
  std::iota(places.begin(), places.end(), 0);
  std::erase_if(places, [&](int place) { return !std::isfinite(worths[place]); });
  std::ranges::stable_sort(places, {}, [&](int place) { return worths[place]; });
  places.resize(std::min<std::size_t>(places.size(), static_cast<std::size_t>(keep)));
  std::ranges::sort(places);
  return places;
}

}  // namespace doc2s
