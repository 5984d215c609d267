// SPDX-License-Identifier: Apache-2.0
#include "agreed_divergence.hpp"

#include <algorithm>

namespace doc2s {

std::optional<Index> AgreedDivergence::agreed() const {
  if (processes_.count() == 1) return std::nullopt;
  const Index first = std::ranges::min(gathered<Index>(processes_, {first_here_}));
  return first == never ? std::nullopt : std::optional(first);
}

}  // namespace doc2s
