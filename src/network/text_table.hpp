#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace doc2s {

// One line of a text file: its words, separated by blanks or commas, and its location.
struct TableLine {
  std::string where;  // path:line
  std::vector<std::string_view> words;

  double real(std::size_t word) const;                // throws Error if not finite
  std::int64_t whole_number(std::size_t word) const;  // throws Error if not an integer
};

// Every non-empty line; `#` starts a comment. The file may be compressed.
void each_line(const std::string& path, const std::function<void(const TableLine&)>& take);

}  // namespace doc2s
