// SPDX-License-Identifier: Apache-2.0
#include "tune_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "base/file_writer.hpp"
#include "base/text.hpp"
#include "report/report.hpp"

namespace doc2s {

namespace {

std::string how_text(const TuneRequest& request) {
  return fmt::format("{} = {}, {} trials a method with seed {}, by {} (mean over the last tenth)",
                     request.budget.axis, request.budget.amount, request.trials, request.trial_seed(),
                     request.by->name);
}

std::string method_comment(const TunedMethod& method) {
  std::vector<std::string> found, seeds;
  for (std::size_t k = 0; k < method.ranges.size(); ++k)
    found.push_back(method.ranges[k].name + " = " + to_toml(method.values()[k]));
  for (const SeedRun& one : method.seeds) seeds.push_back(std::to_string(one.seed));
  return fmt::format("# {}: {}; score {:.6g}, from {:.6g} to {:.6g} over the seeds {}\n", method.label,
                     joined(found), method.score.mean, method.score.lowest, method.score.highest,
                     joined(seeds));
}

std::string tuned_toml(const TuneRequest& request, const Tuned& tuned) {
  std::string text = "# Found by doc2s tune: " + how_text(request) + ".\n";
  std::vector<Config> configs;
  for (const TunedMethod& method : tuned.methods) {
    text += method_comment(method);
    configs.push_back(method.config);
  }
  return text + written(configs);
}

std::vector<std::string> all_keys(const Tuned& tuned) {
  std::vector<std::string> keys;
  std::set<std::string> seen;
  for (const TunedMethod& method : tuned.methods)
    for (const SearchRange& range : method.ranges)
      if (seen.insert(range.key()).second) keys.push_back(range.key());
  return keys;
}

std::string value_of(const TunedMethod& method, const Trial& trial, const std::string& key) {
  for (std::size_t k = 0; k < method.ranges.size(); ++k)
    if (method.ranges[k].key() == key) return to_toml(trial.values[k]);
  return "";
}

std::string tune_csv(const TuneRequest& request, const Tuned& tuned) {
  const std::vector<std::string> keys = all_keys(tuned);
  std::string text = fmt::format("method,trial,{},rungs,{},{},status,directory\n", joined(keys, ","),
                                 request.budget.axis, request.by->name);
  for (const TunedMethod& method : tuned.methods)
    for (std::size_t k = 0; k < method.trials.size(); ++k) {
      const Trial& trial = method.trials[k];
      std::vector<std::string> values;
      for (const std::string& key : keys) values.push_back(value_of(method, trial, key));
      text +=
          fmt::format("\"{}\",{},{},{},{},{},{},\"{}\"\n", method.label, k, joined(values, ","), trial.rungs,
                      trial.count, trial.score, status_text(trial), relative(trial.directory, request));
    }
  return text;
}

std::string page_of(const TuneRequest& request, const Tuned& tuned) {
  std::vector<std::string> directories;
  for (const TunedMethod& method : tuned.methods)
    for (const SeedRun& one : method.seeds) directories.push_back(one.directory);
  return report_page(read_runs(directories), "Tuned: " + how_text(request));
}

}  // namespace

std::string request_text(const TuneRequest& request) {
  std::string text = how_text(request) + "\n";
  for (const Config& config : request.configs)
    for (const SearchRange& range : search_ranges(config, request.fixed, request.over, request.ranges))
      text += fmt::format("{} {} {}..{}\n", config.method.text("label"), range.key(), range.low, range.high);
  return text + written(request.configs);
}

void write_tuned(const TuneRequest& request, const Tuned& tuned) {
  write_whole(request.root, "tuned.toml", tuned_toml(request, tuned));
  write_whole(request.root, "tune.csv", tune_csv(request, tuned));
  write_whole(request.root, "tune.json", tune_json(request, tuned));
  write_whole(request.root, "report.html", page_of(request, tuned));
}

}  // namespace doc2s
