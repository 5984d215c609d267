// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <charconv>
#include <cmath>
#include <string_view>

namespace doc2s {

// The number that the whole text is, with a decimal point in every locale; NaN where it is none.
inline double real_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc() && end == text.data() + text.size() ? number : std::nan("");
}

}  // namespace doc2s
