// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "doc2s/config/options.hpp"

namespace doc2s {

// One line of a table: its words, separated by blanks or commas, and its location.
struct TableLine {
  std::string where;  // path:line, or network.KEY:line
  std::vector<std::string_view> words;

  double real(std::size_t word) const;                // throws Error if not finite
  std::int64_t whole_number(std::size_t word) const;  // throws Error if not an integer
};

// Every non-empty line of the table that network.KEY gives: the path of a file, which may be compressed, or,
// where it has a line break, the table itself. `#` starts a comment.
void each_line(const Settings& network, const std::string& key,
               const std::function<void(const TableLine&)>& take);

// What messages call that table: its path, or "network.KEY".
std::string table_name(const Settings& network, const std::string& key);

}  // namespace doc2s
