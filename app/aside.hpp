// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace doc2s::app {

// To stderr: progress, notes, warnings. A log that cannot be written is no reason to end a run. What was
// printed before goes out first, so that one file or pipe for both has it in order.
template <class... Values>
void aside(fmt::format_string<Values...> format, Values&&... values) {
  const std::string text = fmt::format(format, std::forward<Values>(values)...);
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace doc2s::app
