// SPDX-License-Identifier: Apache-2.0
#include "metrics_file.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <vector>

#include "doc2s/base/error.hpp"
#include "run/record_json.hpp"

namespace doc2s {

namespace {

std::ifstream opened(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw_system_error("cannot be read", path, errno);
  return file;
}

}  // namespace

LineCount for_each_record(const std::string& path, const std::function<void(Index, const Record&)>& use) {
  std::ifstream file = opened(path);
  LineCount count;
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    if (const auto record = record_from(line))
      use(count.records++, *record);
    else if (file.peek() == std::ifstream::traits_type::eof())
      count.cut = true;
    else
      ++count.damaged;
  }
  if (file.bad()) throw_system_error("cannot be read", path, errno);
  return count;
}

Index count_lines(const std::string& path) {
  std::ifstream file = opened(path);
  std::vector<char> block(1 << 16);
  Index lines = 0;
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0)
    lines += std::count(block.begin(), block.begin() + file.gcount(), '\n');
  return lines;
}

}  // namespace doc2s
