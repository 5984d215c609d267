// SPDX-License-Identifier: Apache-2.0
#include "earlier_records.hpp"

#include <filesystem>
#include <sstream>

#include "data/files.hpp"
#include "record_json.hpp"

namespace doc2s {

Index whole_lines(const std::string& path, Index bytes) {
  std::error_code absent;
  const std::string text = std::filesystem::exists(path, absent) ? read_whole(path) : "";
  return std::ssize(text) >= bytes ? bytes : static_cast<Index>(text.rfind('\n') + 1);  // npos + 1 is 0
}

std::vector<Record> records_in(const std::string& text) {
  std::vector<Record> records;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (const auto record = record_from(line)) records.push_back(*record);
  return records;
}

}  // namespace doc2s
