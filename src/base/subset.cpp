// SPDX-License-Identifier: Apache-2.0
#include "subset.hpp"

#include <algorithm>
#include <numeric>

namespace doc2s {

std::vector<Index> random_subset(Index size, Index count, Random random) {
  std::vector<Index> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), Index{0});
  if (count >= size) return all;
  for (Index k = 0; k < count; ++k) std::swap(all[k], all[k + static_cast<Index>(random.below(size - k))]);
  all.resize(static_cast<std::size_t>(count));
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace doc2s
