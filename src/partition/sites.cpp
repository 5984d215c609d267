// SPDX-License-Identifier: Apache-2.0
#include "sites.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>

#include "doc2s/base/error.hpp"

namespace fs = std::filesystem;

namespace doc2s {

namespace {

const std::string mark = "{client}";

// "{a,b}" within a path: where it begins, one past its end, and its names.
struct Names {
  std::size_t begin = std::string::npos, end = 0;
  std::vector<std::string> all{};
};

Names names_within(const std::string& path) {
  const auto begin = path.find('{');
  const auto end = std::min(path.find('}', begin), path.size());
  if (begin == path.npos || end == path.size()) return {};
  const std::string inside = path.substr(begin + 1, end - begin - 1);
  if (inside.find(',') == inside.npos || inside.find('{') != inside.npos) return {};
  Names names{begin, end + 1};
  for (std::size_t at = 0; at <= inside.size();) {
    const auto comma = std::min(inside.find(',', at), inside.size());
    names.all.push_back(inside.substr(at, comma - at));
    at = comma + 1;
  }
  return names;
}

// The first of them that is there before; "" where none is.
std::string repeated(const std::vector<std::string>& texts) {
  for (auto one = texts.begin(); one != texts.end(); ++one)
    if (std::find(texts.begin(), one, *one) != one) return *one;
  return "";
}

std::size_t common_start(const std::vector<std::string>& texts) {
  std::size_t length = texts[0].size();
  for (const std::string& text : texts)
    length = static_cast<std::size_t>(
        std::mismatch(text.begin(), text.end(), texts[0].begin(),
                      texts[0].begin() + static_cast<std::ptrdiff_t>(std::min(length, texts[0].size())))
            .first -
        text.begin());
  return length;
}

}  // namespace

bool is_site_pattern(const std::string& path) {
  return path.find(mark) != path.npos || !names_within(path).all.empty();
}

std::size_t named_sites(const std::string& pattern) { return names_within(pattern).all.size(); }

std::string pattern_of(const std::vector<std::string>& paths) {
  for (const std::string& path : paths)
    if (path.find_first_of("{,}") != path.npos)
      throw Error("\"" + path + "\" has a comma or a brace in its name", "problem.data",
                  "rename the file, or give each client a file with {client} in the path");
  if (paths.empty()) return "";
  if (paths.size() == 1)
    throw Error("the list has one file", "problem.data",
                "write its name without brackets, and clients.count = 1 where one client has it all");
  if (const auto twice = repeated(paths); !twice.empty())
    throw Error("the list has \"" + twice + "\" twice", "problem.data", "name each client's file once");
  std::vector<std::string> turned(paths);
  for (std::string& path : turned) std::reverse(path.begin(), path.end());
  const std::string& first = paths[0];
  const std::size_t slash = first.substr(0, common_start(paths)).rfind('/');
  const std::size_t start = slash == first.npos ? 0 : slash + 1;
  const std::string end = first.substr(first.size() - common_start(turned));
  const std::size_t dot = end.find('.', end.rfind('/') + 1);
  if (dot == end.npos)
    throw Error("the files of the list do not end alike", "problem.data",
                "take files of one kind, such as .csv");
  const std::size_t tail = end.size() - dot;
  std::string names;
  for (const std::string& path : paths)
    names += (names.empty() ? "" : ",") + path.substr(start, path.size() - start - tail);
  return first.substr(0, start) + "{" + names + "}" + end.substr(dot);
}

std::string absolute_pattern(const std::string& pattern) {
  return fs::absolute(pattern).lexically_normal().string();
}

namespace {

// Numbers of clients whose file is there, or of what looks like one: the first folder or file with the mark.
std::vector<int> numbers_there(const std::string& pattern) {
  std::vector<int> numbers;
  const fs::path path = absolute_pattern(pattern);
  fs::path folder;  // the folder of the first path component with the mark
  auto part = path.begin();
  for (; part != path.end() && !is_site_pattern(part->string()); ++part) folder /= *part;
  if (part == path.end()) return numbers;
  const std::string text = part->string(), start = text.substr(0, text.find(mark));
  std::error_code unreachable;
  for (const auto& entry : fs::directory_iterator(folder, unreachable)) {
    const std::string name = entry.path().filename().string();
    int number = 0;
    const char* const digits = name.data() + std::min(start.size(), name.size());
    if (!name.starts_with(start) || digits == name.data() + name.size() ||
        !std::isdigit(static_cast<unsigned char>(*digits)))
      continue;
    if (std::from_chars(digits, name.data() + name.size(), number).ec == std::errc())
      numbers.push_back(number);
  }
  std::ranges::sort(numbers);
  return numbers;
}

bool is_there(const std::string& path) {
  std::error_code unreachable;
  return fs::exists(path, unreachable);
}

}  // namespace

bool some_site_exists(const std::string& pattern) {
  const auto names = static_cast<int>(named_sites(pattern));
  for (int client = 0; client < names; ++client)
    if (is_there(site_path(pattern, client))) return true;
  return names == 0 && !numbers_there(pattern).empty();
}

std::vector<std::string> sites_from(const std::string& pattern, int first) {
  std::vector<std::string> sites;
  const auto names = static_cast<int>(named_sites(pattern));
  for (int client = first; client < names; ++client) sites.push_back(site_path(pattern, client));
  if (names > 0) return sites;
  for (const int number : numbers_there(pattern))
    if (const std::string path = site_path(pattern, number);
        number >= first && is_there(path) && (sites.empty() || sites.back() != path))
      sites.push_back(path);
  return sites;
}

std::string site_path(const std::string& pattern, int client) {
  if (const Names names = names_within(pattern); !names.all.empty()) {
    const std::string& name = names.all.at(static_cast<std::size_t>(client));
    const bool whole = name.starts_with('/');  // a list of files in different places
    return absolute_pattern((whole ? "" : pattern.substr(0, names.begin)) + name + pattern.substr(names.end));
  }
  std::string path = absolute_pattern(pattern);
  const std::string number = std::to_string(client);
  for (auto at = path.find(mark); at != path.npos; at = path.find(mark, at + number.size()))
    path.replace(at, mark.size(), number);
  return path;
}

namespace {

std::string hint_for_missing(const std::string& pattern, int client) {
  if (named_sites(pattern) > 0) return "name one file a client, in their order";
  const std::vector<int> there = numbers_there(pattern);
  const auto files = static_cast<int>(there.size());
  if (files > 0 && there.back() == files - 1 && client >= files)
    return fmt::format("there are {0} files: set clients.count = {0}", files);
  return fmt::format("in \"{}\", {} stands for the client's number, counted from 0", pattern, mark);
}

}  // namespace

std::string existing_site_path(const std::string& pattern, int client) {
  const auto names = static_cast<int>(named_sites(pattern));
  if (names > 0 && client >= names)
    throw Error(fmt::format("client {} has no data: problem.data names {} files", client, names), "",
                "leave clients.count out, or name more files");
  std::string path = site_path(pattern, client);
  std::error_code unreachable;
  if (!fs::exists(path, unreachable) && !unreachable)
    throw Error(fmt::format("client {} has no data: there is no {}", client, path), "",
                hint_for_missing(pattern, client));
  return path;
}

}  // namespace doc2s
