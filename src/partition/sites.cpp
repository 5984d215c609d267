// SPDX-License-Identifier: Apache-2.0
#include "sites.hpp"

#include <fmt/format.h>

#include <cctype>
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

bool some_site_exists(const std::string& pattern) {
  const fs::path path = absolute_pattern(pattern);
  fs::path folder;  // the folder of the first path component with the mark
  auto part = path.begin();
  for (; part != path.end() && !is_site_pattern(part->string()); ++part) folder /= *part;
  if (part == path.end()) return false;
  const std::string start = part->string().substr(0, part->string().find(mark));
  std::error_code unreachable;
  for (const auto& entry : fs::directory_iterator(folder, unreachable)) {
    const std::string name = entry.path().filename().string();
    if (name.size() > start.size() && name.starts_with(start) &&
        std::isdigit(static_cast<unsigned char>(name[start.size()])))
      return true;
  }
  return false;
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
