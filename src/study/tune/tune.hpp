// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "doc2s/run/run.hpp"
#include "search_range.hpp"
#include "study/run_scores.hpp"

namespace doc2s {

// What a run of a trial may use: a count of run.budget that a config decides, so not the seconds.
struct TuneBudget {
  std::string axis;  // "samples"
  Index amount;

  std::string count() const { return axis == "iterations" ? "iteration" : axis; }  // as records name it
};
TuneBudget tune_budget(const std::string& text);  // "samples=64000"

struct TuneRequest {
  std::vector<Config> configs{};     // one a method; alike in all else
  std::vector<std::string> fixed{};  // keys that are not looked for
  std::vector<AskedRange> over{};    // ranges beside, or instead of, those of the options
  TuneBudget budget;
  const Quantity* by;  // the measure
  int trials = 64;     // a method
  Ranges ranges = Ranges::of_the_order;
  std::string root;  // the folder; a tune that was interrupted there goes on

  // Trials are compared on the config's seed + this, so that what is reported was not chosen on its own
  // seeds; 0: on the first of those.
  std::int64_t trial_seed_shift = 1'000'000;
  std::int64_t trial_seed() const { return configs.front().general.integer("seed") + trial_seed_shift; }
};

// How it is carried out; the result does not depend on it.
struct TuneOptions {
  int jobs = 1;  // runs at the same time
  const std::atomic<bool>& stop;
  std::function<void(const std::string& news)> on_progress = [](const std::string&) {};
  std::function<void(const std::string& news)> on_going = [](const std::string&) {};  // more often
};

// One drawn setting and how far it came.
struct Trial {
  std::vector<Value> values;  // one a range
  std::string directory;
  int rungs = 0;     // that it finished; 0 and a refusal: every draw was refused
  double count = 0;  // used, on the budget's axis
  double score = 0;  // at its last rung: the mean over the last tenth; NaN where it diverged
  Status status = Status::running;
  std::string refusal{};
};

struct SeedRun {
  std::int64_t seed;
  double score;  // NaN: diverged
  std::string directory;
};

struct TunedMethod {
  std::string label;
  Config config;  // with the best values and the budget: what tuned.toml holds
  std::vector<SearchRange> ranges;
  std::vector<Trial> trials;
  int best = 0;                // of the trials
  std::vector<SeedRun> seeds;  // of the best: what is reported
  Spread score;                // over them
  double spent = 0;            // on the budget's axis, by all trials and seeds

  const std::vector<Value>& values() const { return trials[best].values; }
};

struct Tuned {
  std::vector<TunedMethod> methods;
};

// Looks for each method's values, writes tuned.toml, tune.csv, tune.json and report.html into the folder.
// Nothing where it was interrupted. Throws Error before anything is written where the request makes no sense,
// or the folder holds something else.
std::optional<Tuned> tune(const TuneRequest& request, const TuneOptions& options);

}  // namespace doc2s
