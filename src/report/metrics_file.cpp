#include "metrics_file.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "doc2s/base/error.hpp"
#include "recorded_run.hpp"

namespace doc2s {

namespace {

std::ifstream opened(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw_system_error("cannot be read", path, errno);
  return file;
}

bool read_record(const std::string& line, Record& record) {
  const auto object = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) return false;
  for (std::size_t k = 0; k < record.size(); ++k) {
    const auto member = object.find(columns()[k].name);
    const bool number = member != object.end() && member->is_number();
    record[k] = number ? member->get<double>() : std::numeric_limits<double>::quiet_NaN();
  }
  return true;
}

}  // namespace

LineCount for_each_record(const std::string& path, const std::function<void(Index, const Record&)>& use) {
  std::ifstream file = opened(path);
  LineCount count;
  Record record(columns().size());
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    if (read_record(line, record))
      use(count.records++, record);
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
