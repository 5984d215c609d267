// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "doc2s/base/types.hpp"

namespace doc2s {

// 12,345
inline std::string with_commas(Index number) {
  std::string digits = std::to_string(number);
  const Index first = number < 0 ? 1 : 0;
  for (Index k = std::ssize(digits) - 3; k > first; k -= 3) digits.insert(static_cast<std::size_t>(k), ",");
  return digits;
}

}  // namespace doc2s
