// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace doc2s {

using Positions = std::vector<double>;  // one a range, each in [0, 1)

// `count` points that cover every range evenly (a Latin hypercube): of each range's `count` equal parts,
// every point has another.
std::vector<Positions> spread_draws(std::uint64_t seed, int count, int ranges);

// A point anywhere, in place of one that was refused; `attempt` counts from 1.
Positions another_draw(std::uint64_t seed, int point, int attempt, int ranges);

}  // namespace doc2s
