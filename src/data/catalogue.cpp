#include "doc2s/data/catalogue.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "doc2s/base/error.hpp"
#include "doc2s/base/text.hpp"

namespace fs = std::filesystem;

namespace doc2s {

const std::vector<DataSet>& catalogue() {
  static const std::vector<DataSet> sets{
      {"a9a", "census income, 32,561 samples, 123 binary features (LIBSVM)", "a9a", "a9a.t"},
      {"rcv1",
       "Reuters news, 20,242 samples, 47,236 features (LIBSVM)",
       "rcv1_train.binary",
       "rcv1_test.binary",
       {{"rcv1_subset.svm",
         "rcv1_subset.svm was read; it is not rcv1_train.binary, and results differ from that file's"}}},
      {"synthetic", "random hyperplane with label noise, made from the seed, needs no file", "", ""},
  };
  return sets;
}

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string full_path(const fs::path& path) { return fs::absolute(path).lexically_normal().string(); }

std::vector<fs::path> search_directories() {
  std::vector<fs::path> places;
  const std::string list = variable("DOC2S_DATA") + ":";
  for (std::size_t from = 0, colon; (colon = list.find(':', from)) != list.npos; from = colon + 1)
    if (colon > from) places.emplace_back(list.substr(from, colon - from));
  if (const auto share = variable("XDG_DATA_HOME"); !share.empty())
    places.push_back(fs::path(share) / "doc2s");
  else if (const auto home = variable("HOME"); !home.empty())
    places.push_back(fs::path(home) / ".local/share/doc2s");
  places.emplace_back("/usr/share/datasets");
  return places;
}

// A directory that cannot be entered holds nothing.
bool is_file(const fs::path& path) {
  std::error_code unreachable;
  return fs::is_regular_file(path, unreachable);
}

std::optional<std::string> file_in(const fs::path& directory, const std::string& name) {
  for (const char* suffix : {"", ".gz", ".bz2", ".xz", ".zst"})
    if (fs::path path = directory / (name + suffix); is_file(path)) return full_path(path);
  return std::nullopt;
}

std::optional<DataFiles> files_in(const fs::path& directory, const DataSet& set) {
  const auto test = [&] {
    return set.test_file.empty() ? "" : file_in(directory, set.test_file).value_or("");
  };
  if (const auto train = file_in(directory, set.train_file)) return DataFiles{*train, test(), ""};
  for (const auto& [file, notice] : set.stand_ins)
    if (const auto train = file_in(directory, file)) return DataFiles{*train, test(), notice};
  return std::nullopt;
}

DataFiles find_set(const DataSet& set) {
  if (set.built_in()) return {};
  std::vector<std::string> places;
  for (const auto& directory : search_directories()) {
    for (const auto& place : {directory / set.name, directory})
      if (const auto files = files_in(place, set)) return *files;
    places.push_back(full_path(directory / set.name));
  }
  throw Error(fmt::format("the data set \"{}\" was not found: no {}, plain or compressed, in {}", set.name,
                          set.train_file, joined(places)),
              "",
              fmt::format("set DOC2S_DATA to a folder that holds {}/{}, or give the file's path", set.name,
                          set.train_file));
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
  std::vector<std::string> names;
  for (const auto& set : catalogue()) names.push_back(set.name);
  const std::string near = nearest(text, names);
  throw Error(
      fmt::format("\"{}\" is neither a data set nor a file: there is no {}", text, joined(places, ", no ")),
      "", near.empty() ? "give a path, or one of " + joined(names) : suggestion(text, names));
}

}  // namespace

DataFiles find_data(const std::string& name_or_path, const std::string& base_directory) {
  for (const auto& set : catalogue())
    if (set.name == name_or_path) return find_set(set);
  if (name_or_path.empty())
    throw Error("the name of the data is empty", "", "give a data set's name or a path");
  return find_path(name_or_path, base_directory);
}

}  // namespace doc2s
