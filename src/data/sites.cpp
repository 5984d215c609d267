#include "doc2s/data/sites.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "doc2s/base/error.hpp"

namespace fs = std::filesystem;

namespace doc2s {

namespace {

const std::string mark = "{client}";

}  // namespace

bool is_site_pattern(const std::string& path) { return path.find(mark) != path.npos; }

std::string absolute_pattern(const std::string& pattern) {
  return fs::absolute(pattern).lexically_normal().string();
}

std::string site_path(const std::string& pattern, int client) {
  std::string path = absolute_pattern(pattern);
  const std::string number = std::to_string(client);
  for (auto at = path.find(mark); at != path.npos; at = path.find(mark, at + number.size()))
    path.replace(at, mark.size(), number);
  return path;
}

std::string existing_site_path(const std::string& pattern, int client) {
  std::string path = site_path(pattern, client);
  std::error_code unreachable;
  if (!fs::exists(path, unreachable) && !unreachable)
    throw Error(fmt::format("client {} has no data: there is no {}", client, path), "",
                fmt::format("in \"{}\", {} stands for the client's number, counted from 0", pattern, mark));
  return path;
}

}  // namespace doc2s
