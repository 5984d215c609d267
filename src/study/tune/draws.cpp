// SPDX-License-Identifier: Apache-2.0
#include "draws.hpp"

#include <numeric>
#include <utility>

#include "doc2s/base/random.hpp"

namespace doc2s {

namespace {

std::vector<int> shuffled(int count, Random random) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (int left = count; left > 1; --left)
    std::swap(order[left - 1], order[random.below(static_cast<std::uint64_t>(left))]);
  return order;
}

// Tick 0 is of the order of the parts.
double uniform_of(std::uint64_t seed, int range, int point, int attempt) {
  return Random(seed, Purpose::tuning, static_cast<std::uint32_t>(range), 1 + point,
                static_cast<std::uint16_t>(attempt))
      .uniform();
}

}  // namespace

std::vector<Positions> spread_draws(std::uint64_t seed, int count, int ranges) {
  std::vector<Positions> points(static_cast<std::size_t>(count));
  for (int range = 0; range < ranges; ++range) {
    const auto parts = shuffled(count, Random(seed, Purpose::tuning, static_cast<std::uint32_t>(range)));
    for (int k = 0; k < count; ++k) points[k].push_back((parts[k] + uniform_of(seed, range, k, 0)) / count);
  }
  return points;
}

Positions another_draw(std::uint64_t seed, int point, int attempt, int ranges) {
  Positions positions;
  for (int range = 0; range < ranges; ++range) positions.push_back(uniform_of(seed, range, point, attempt));
  return positions;
}

}  // namespace doc2s
