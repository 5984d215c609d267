// SPDX-License-Identifier: Apache-2.0
#include "ended_run.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "config/config_difference.hpp"
#include "data/files.hpp"
#include "data/npy.hpp"
#include "doc2s/base/error.hpp"
#include "earlier_records.hpp"
#include "fingerprint.hpp"
#include "known_options.hpp"
#include "record_json.hpp"
#include "run_directory.hpp"

namespace doc2s {

std::optional<Summary> summary_of_ended(const std::string& directory) {
  const std::string path = directory + "/summary.json";
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown)) return std::nullopt;
  const std::string text = read_whole(path);
  const auto record = record_from(text);
  const auto all = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!record || !all.contains("status") || !all["status"].is_string()) return std::nullopt;
  Summary summary;
  summary.status = status_from(all["status"].get<std::string>());
  if (!has_ended(summary.status)) return std::nullopt;
  summary.end = *record;
  if (all.contains("iterations") && all["iterations"].is_number())
    summary.end["iteration"] = all["iterations"].get<double>();
  if (all.contains("checkpoint") && all["checkpoint"].is_number_integer())
    summary.checkpoint = all["checkpoint"].get<Index>();
  summary.directory = directory;
  return summary;
}

Status status_in(const std::string& summary) {
  return status_from(nlohmann::json::parse(summary).at("status").get<std::string>());
}

namespace {

// K and the budgets, which a run may be resumed with more of.
bool same_length(const Config& before, const Config& now) {
  const auto same = [&](const std::string& section, const std::string& name) {
    const Settings &a = before.section(section), &b = now.section(section);
    return a.has(name) == b.has(name) && (!a.has(name) || a.value(name) == b.value(name));
  };
  bool all = same("method", "K");
  for (const KnownOption& known : known_options())
    if (known.key().starts_with("run.budget.")) all = all && same("run", known.option.name);
  return all;
}

bool is_this_ended_run(const std::string& directory, const Config& config) {
  if (!summary_of_ended(directory) || has_checkpoint(directory)) return false;
  const Config there = read_configs(directory + "/config.toml").front();
  for (const std::string& other : contradictions(there, config))
    throw Error("holds the run of another config: " + other, directory, "give another directory");
  return same_length(there, config);
}

KeptInMemory kept_in(const std::string& directory, Processes& processes) {
  const bool first = processes.is_first();
  const auto told = [&](const char* file) {
    return processes.gather(first ? read_whole(directory + "/" + file) : "").front();
  };
  KeptInMemory kept;
  kept.records = records_in(told("metrics.jsonl"));
  kept.summary = told("summary.json");
  kept.config = told("config.toml");
  kept.x = parse_npy(told("last.npy"), directory + "/last.npy").values;
  if (first) kept.outputs = read_npy(directory + "/output.npy").values;
  return kept;
}

}  // namespace

bool has_ended_already(RunOptions& options, const Config& config, std::vector<std::string>& notes) {
  if (!options.resume) return false;
  Processes& processes = *options.processes;
  const std::string& directory = options.directory;
  if (!told_by_first(processes, holds_a_run(directory))) {
    options.resume = false;
    notes.push_back(directory + " holds no run yet, so the run begins");
    return false;
  }
  if (!told_by_first(processes, processes.is_first() && is_this_ended_run(directory, config))) return false;
  notes.push_back(directory + " has come to its end already, so nothing is left to do");
  return true;
}

std::optional<KeptInMemory> ended_already(RunOptions& options, const Config& config,
                                          std::vector<std::string>& notes) {
  if (!has_ended_already(options, config, notes)) return std::nullopt;
  return kept_in(options.directory, *options.processes);
}

template <class Real>
void refuse_another_problem(const std::string& directory, const Config& config, Processes& processes,
                            const Problem<Real>* own) {
  if (config.problem.text("name") != own_problem_name) return;
  std::string before;
  if (processes.is_first())
    before = nlohmann::json::parse(read_whole(directory + "/summary.json")).value("own_problem", "");
  before = processes.gather(before).front();
  if (before.empty()) return;
  const Experiment<Real> now(config, processes, own);
  if (own_problem_hash(now, fingerprint(now)) != before)
    throw Error("holds a run of another function, x0 or network", directory, "give another directory");
}

void refuse_another_problem(const std::string& directory, const Config& config) {
  Processes alone;
  if (config.general.text("precision") == "float32")
    refuse_another_problem<float>(directory, config, alone, nullptr);
  else
    refuse_another_problem<double>(directory, config, alone, nullptr);
}

template void refuse_another_problem(const std::string&, const Config&, Processes&, const Problem<float>*);
template void refuse_another_problem(const std::string&, const Config&, Processes&, const Problem<double>*);

bool holds_another_run(const std::string& directory, const Config& config) {
  const std::string own = directory + "/config.toml";
  std::error_code unknown;
  if (!std::filesystem::exists(own, unknown) || read_whole(own).empty()) return false;
  const std::vector<Config> there = read_configs(own);
  return there.size() != 1 || !contradictions(there.front(), config).empty();
}

}  // namespace doc2s
