// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/text.hpp"
#include "catalogue.hpp"
#include "doc2s/base/error.hpp"

namespace fs = std::filesystem;

namespace doc2s {

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string full_path(const fs::path& path) { return fs::absolute(path).lexically_normal().string(); }

// A directory that cannot be entered counts as empty.
bool is_file(const fs::path& path) {
  std::error_code unreachable;
  return fs::is_regular_file(path, unreachable);
}

std::optional<std::string> first_file(const fs::path& directory, const std::string& name,
                                      const std::vector<std::string>& suffixes) {
  for (const auto& suffix : suffixes)
    if (fs::path path = directory / (name + suffix); is_file(path)) return full_path(path);
  return std::nullopt;
}

std::optional<std::string> file_in(const fs::path& directory, const DataSet& set, const std::string& name) {
  static const std::vector<std::string> suffixes{"", ".gz", ".bz2", ".xz", ".zst"};
  auto path = first_file(directory, name, suffixes);
  if (!path && !set.archive_folder.empty()) path = first_file(directory / set.archive_folder, name, suffixes);
  return path;
}

std::optional<std::string> archive_in(const fs::path& directory, const DataSet& set) {
  if (set.archive.empty()) return std::nullopt;
  return first_file(directory, set.archive, {".tar.gz", ".tgz", ".tar", ".tar.bz2", ".tar.xz", ".tar.zst"});
}

bool has_training_file(const FoundSet& found) {
  return std::any_of(found.files.begin(), found.files.end(),
                     [](const FoundFile& here) { return here.file->part == DataFile::Part::train; });
}

bool has_all(const FoundSet& found, const DataSet& set, bool of_training_only) {
  return std::all_of(set.files.begin(), set.files.end(), [&](const DataFile& file) {
    return file.stand_in() || (of_training_only && file.part != DataFile::Part::train) ||
           found.with_name(file.name);
  });
}

FoundSet loose_files(const fs::path& directory, const DataSet& set) {
  FoundSet found;
  for (const auto& file : set.files) {
    if (file.stand_in() && found.with_name(file.stands_for)) continue;
    if (const auto path = file_in(directory, set, file.name)) found.files.push_back({&file, *path});
  }
  return found;
}

FoundSet archived_files(const std::string& archive, const DataSet& set) {
  FoundSet found;
  for (const auto& file : set.files)
    if (!file.stand_in()) found.files.push_back({&file, archive, true});
  return found;
}

DataFiles svm_files(const DataSet& set) {
  if (set.built_in()) return {};
  const FoundSet found = find_set(set);
  if (found.files.empty()) throw_not_found(set);
  DataFiles files;
  for (const auto& [file, path, archived] : found.files) {
    (file->part == DataFile::Part::train ? files.train : files.test) = path;
    if (file->stand_in()) files.notice = file->notice;
  }
  return files;
}

void check_readable(const std::string& path) {
  std::error_code unreachable;
  if (fs::is_directory(path, unreachable))
    throw Error("this is a directory, not a data file", path, "give the path of a file in it");
  if (access(path.c_str(), R_OK) != 0) throw_system_error("the data file cannot be read", path, errno);
}

DataFiles find_path(const std::string& text, const std::string& base_directory) {
  std::vector<std::string> places{full_path(text)};
  if (!base_directory.empty() && fs::path(text).is_relative())
    if (const auto place = full_path(fs::path(base_directory) / text); place != places[0])
      places.push_back(place);
  for (const auto& place : places) {
    std::error_code unreachable;
    const bool there = fs::exists(place, unreachable);
    if (!there && !unreachable) continue;
    check_readable(place);
    return {place, "", ""};
  }
  const auto names = set_names(false);
  const std::string near = nearest(text, names);
  throw Error(
      fmt::format("\"{}\" is neither a data set nor a file: there is no {}", text, joined(places, ", no ")),
      "", near.empty() ? "give a path, or one of " + joined(names) : suggestion(text, names));
}

}  // namespace

const FoundFile* FoundSet::with_name(const std::string& name) const {
  for (const auto& here : files)
    if (here.file->name == name) return &here;
  return nullptr;
}

std::vector<std::string> data_directories() {
  std::vector<std::string> places;
  const std::string list = variable("DOC2S_DATA") + ":";
  for (std::size_t from = 0, colon; (colon = list.find(':', from)) != list.npos; from = colon + 1)
    if (colon > from) places.push_back(full_path(list.substr(from, colon - from)));
  if (const auto share = variable("XDG_DATA_HOME"); !share.empty())
    places.push_back(full_path(fs::path(share) / "doc2s"));
  else if (const auto home = variable("HOME"); !home.empty())
    places.push_back(full_path(fs::path(home) / ".local/share/doc2s"));
  places.push_back("/usr/share/datasets");
  return places;
}

FoundSet find_set_in(const std::string& directory, const DataSet& set) {
  FoundSet found = loose_files(directory, set);
  if (!has_all(found, set, false))
    if (const auto archive = archive_in(directory, set)) found = archived_files(*archive, set);
  if (!has_training_file(found)) return {};
  found.directory = full_path(directory);
  found.complete = has_all(found, set, false);
  return found;
}

FoundSet find_set(const DataSet& set) {
  FoundSet best;
  for (const auto& directory : data_directories())
    for (const auto& place : {fs::path(directory) / set.name, fs::path(directory)}) {
      FoundSet found = find_set_in(place.string(), set);
      if (found.files.empty()) continue;
      if (has_all(found, set, true)) return found;
      if (best.files.empty()) best = std::move(found);
    }
  return best;
}

void throw_not_found(const DataSet& set) {
  std::vector<std::string> places;
  for (const auto& directory : data_directories())
    places.push_back((fs::path(directory) / set.name).string());
  const std::string& file = set.files.front().name;
  throw Error(
      fmt::format("the data set \"{}\" was not found: no {}, plain or compressed, in {}", set.name, file,
                  joined(places)),
      "",
      fmt::format(
          "fetch it with `doc2s data get {0}`, set DOC2S_DATA to a folder that holds {0}/{1}, or give the "
          "file's path",
          set.name, file));
}

DataFiles find_data(const std::string& name_or_path, const std::string& base_directory) {
  const DataSet* set = data_set_named(name_or_path);
  if (set && set->has_images())
    throw Error(fmt::format("\"{}\" is a set of images; this problem reads LIBSVM text", set->name), "",
                "choose one of " + joined(set_names(false)) + ", or a problem for images");
  if (set) return svm_files(*set);
  if (name_or_path.empty())
    throw Error("the name of the data is empty", "", "give a data set's name or a path");
  return find_path(name_or_path, base_directory);
}

}  // namespace doc2s
