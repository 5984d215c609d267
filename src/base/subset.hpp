// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "doc2s/base/random.hpp"
#include "doc2s/base/types.hpp"

namespace doc2s {

// The first `count` of a random order of 0..size−1, sorted; all if count ≥ size.
std::vector<Index> random_subset(Index size, Index count, Random random);

}  // namespace doc2s
