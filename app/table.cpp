// SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace doc2s::app {

namespace {

// In characters of UTF-8: bytes that go on with one are not counted.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](unsigned char byte) { return (byte & 0xc0) != 0x80; }));
}

std::string aligned(const std::vector<std::vector<std::string>>& rows, bool all_left) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], width_of(row[k]));
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::string space(widths[k] - width_of(row[k]), ' ');
      text += (k == 0 ? "" : "  ") + (k == 0 || all_left ? row[k] + space : space + row[k]);
    }
    text.resize(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace

std::string table_text(const std::vector<std::vector<std::string>>& rows) { return aligned(rows, false); }
std::string left_table_text(const std::vector<std::vector<std::string>>& rows) { return aligned(rows, true); }

void print_table(const std::vector<std::vector<std::string>>& rows) { fmt::print("{}", table_text(rows)); }

}  // namespace doc2s::app
