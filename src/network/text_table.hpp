#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace doc2s {

// One line of a text file: its words, parted by blanks or commas, and where it stands.
struct TableLine {
  std::string where;  // path:line
  std::vector<std::string_view> words;

  double real(std::size_t word) const;                // finite, or Error
  std::int64_t whole_number(std::size_t word) const;  // or Error
};

// Every line that holds a word; `#` begins a comment. The file may be compressed.
void each_line(const std::string& path, const std::function<void(const TableLine&)>& take);

}  // namespace doc2s
