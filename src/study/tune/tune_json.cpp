// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "base/json.hpp"
#include "base/text.hpp"
#include "tune_files.hpp"

namespace doc2s {

std::string relative(const std::string& directory, const TuneRequest& request) {
  return std::filesystem::path(directory).lexically_relative(request.root).generic_string();
}

std::string status_text(const Trial& trial) {
  return trial.refusal.empty() ? to_text(trial.status) : std::string("refused");
}

namespace {

std::string values_json(const TunedMethod& method, const Trial& trial) {
  JsonObject object;
  for (std::size_t k = 0; k < method.ranges.size(); ++k)
    object.add_raw(method.ranges[k].key(), to_json(trial.values[k]));
  return object.line();
}

std::string ranges_json(const TunedMethod& method) {
  JsonObject object;
  for (std::size_t k = 0; k < method.ranges.size(); ++k) {
    const SearchRange& range = method.ranges[k];
    object.add_raw(range.key(), JsonObject()
                                    .add("low", range.low)
                                    .add("high", range.high)
                                    .add("edge", edge_of(range, method.values()[k]))
                                    .line());
  }
  return object.line();
}

std::string seeds_json(const TuneRequest& request, const TunedMethod& method) {
  std::vector<std::string> seeds;
  for (const SeedRun& one : method.seeds)
    seeds.push_back(JsonObject()
                        .add("seed", one.seed)
                        .add("score", one.score)
                        .add("directory", relative(one.directory, request))
                        .line());
  return "[" + joined(seeds) + "]";
}

std::string trials_json(const TuneRequest& request, const TunedMethod& method) {
  std::vector<std::string> trials;
  for (const Trial& trial : method.trials)
    trials.push_back(JsonObject()
                         .add_raw("values", values_json(method, trial))
                         .add("rungs", trial.rungs)
                         .add("count", trial.count)
                         .add("score", trial.score)
                         .add("status", status_text(trial))
                         .add("directory", relative(trial.directory, request))
                         .line());
  return json_list(trials);
}

std::string method_json(const TuneRequest& request, const TunedMethod& method) {
  return JsonObject()
      .add("label", method.label)
      .add_raw("values", values_json(method, method.trials[method.best]))
      .add_raw("ranges", ranges_json(method))
      .add("score", method.score.mean)
      .add("lowest", method.score.lowest)
      .add("highest", method.score.highest)
      .add("best", method.best)
      .add_raw("seeds", seeds_json(request, method))
      .add("spent", method.spent)
      .add_raw("trials", trials_json(request, method))
      .line();
}

}  // namespace

std::string tune_json(const TuneRequest& request, const Tuned& tuned) {
  std::vector<std::string> methods;
  for (const TunedMethod& method : tuned.methods) methods.push_back(method_json(request, method));
  return JsonObject()
             .add_raw("budget", JsonObject().add(request.budget.axis, request.budget.amount).line())
             .add("by", request.by->name)
             .add("trials", request.trials)
             .add("trial_seed", request.trial_seed())
             .add_raw("methods", json_list(methods))
             .lines() +
         "\n";
}

}  // namespace doc2s
