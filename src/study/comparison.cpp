// SPDX-License-Identifier: Apache-2.0
#include "comparison.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "config/config_difference.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "run/record_json.hpp"
#include "run/run_directory.hpp"

namespace doc2s {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

constexpr const char* list_file = "comparison.json";

std::string list_path(const std::string& directory) { return directory + "/" + list_file; }

}  // namespace

bool holds_a_comparison(const std::string& directory) {
  std::error_code unknown;
  return fs::exists(list_path(directory), unknown);
}

void write_comparison(const std::string& directory, const std::vector<ComparedRun>& runs) {
  Json list = Json::array();
  for (const auto& [folder, config] : runs) list.push_back({{"folder", folder}, {"config", written(config)}});
  write_whole(directory, list_file, list.dump(1) + "\n");
}

std::vector<ComparedRun> read_comparison(const std::string& directory, const Changes& changes) {
  const std::string path = list_path(directory);
  std::vector<ComparedRun> runs;
  try {
    for (const Json& one : Json::parse(read_whole(path))) {
      const auto folder = one.at("folder").get<std::string>();
      if (folder != folder_name(folder)) throw Error("names a folder elsewhere", path);
      runs.push_back({folder, parse_configs(one.at("config").get<std::string>(), path, changes).front()});
    }
  } catch (const Json::exception&) {
    throw Error("is damaged", path, "resume the folders below it one by one");
  }
  if (runs.empty())
    throw Error("is damaged: it names no run", path, "resume the folders below it one by one");
  return runs;
}

bool same_runs(const std::vector<ComparedRun>& some, const std::vector<ComparedRun>& others) {
  return std::ranges::equal(some, others, [](const ComparedRun& a, const ComparedRun& b) {
    return a.folder == b.folder && contradictions(a.config, b.config).empty();
  });
}

void check_same_run(const ComparedRun& run, const std::string& directory) {
  const Config there = read_configs(directory + "/config.toml").front();
  for (const std::string& other : contradictions(there, run.config))
    throw Error("holds the run of another config: " + other, directory,
                "remove that folder, and it is run again");
}

}  // namespace doc2s
