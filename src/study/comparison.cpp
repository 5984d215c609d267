#include "comparison.hpp"

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "config/config_difference.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "run/run_directory.hpp"

namespace doc2s {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

constexpr const char* list_file = "comparison.json";

std::string list_path(const std::string& directory) { return directory + "/" + list_file; }

double number_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  const bool there = found != object.end() && found->is_number();
  return there ? found->get<double>() : std::numeric_limits<double>::quiet_NaN();
}

Counts counts_in(const Json& summary) {
  return {.iteration = summary.value("iterations", Index{0}),
          .samples = summary.value("samples", Index{0}),
          .evaluations = summary.value("evaluations", Index{0}),
          .computation_rounds = summary.value("computation_rounds", Index{0}),
          .communication_rounds = summary.value("communication_rounds", Index{0}),
          .bytes = summary.value("bytes", Index{0}),
          .seconds = number_in(summary, "seconds")};
}

Measures measures_in(const Json& object) {
  return {.loss_mean_point = number_in(object, "loss_mean_point"),
          .loss_clients = number_in(object, "loss_clients"),
          .loss_worst = number_in(object, "loss_worst"),
          .accuracy = number_in(object, "accuracy"),
          .consensus = number_in(object, "consensus")};
}

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

void check_same_run(const ComparedRun& run, const std::string& directory) {
  const Config there = read_configs(directory + "/config.toml").front();
  for (const std::string& other : contradictions(there, run.config))
    throw Error("holds the run of another config: " + other, directory,
                "remove that folder, and it is run again");
}

std::optional<Summary> summary_of_ended(const std::string& directory) {
  const std::string path = directory + "/summary.json";
  std::error_code unknown;
  if (!fs::exists(path, unknown)) return std::nullopt;
  const Json text = Json::parse(read_whole(path), nullptr, /*allow_exceptions=*/false);
  if (!text.is_object() || !text.contains("status") || text["status"] == "interrupted") return std::nullopt;
  try {
    Summary summary;
    summary.status = text["status"].get<std::string>();
    summary.counts = counts_in(text);
    summary.last = measures_in(text);
    summary.checkpoint = text.value("checkpoint", Index{-1});
    summary.directory = directory;
    return summary;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace doc2s
