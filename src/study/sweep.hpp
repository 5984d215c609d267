#pragma once
#include <string>
#include <vector>

#include "doc2s/run/run.hpp"

namespace doc2s {

// A key and the values it is to take, e.g. from "method.eta=0.001,0.005".
struct SweepAxis {
  std::string key;
  std::vector<std::string> values;
};
SweepAxis sweep_axis(const std::string& words);

// All ways to take one value of each axis; the last axis runs fastest. No axis: one way, which changes
// nothing.
std::vector<Changes> combinations(const std::vector<SweepAxis>& axes);
std::string name_of(const Changes& combination);  // "eta=0.001,D=0.05"

// One experiment of a sweep and its folder.
struct SweepCase {
  std::string name;  // "doc2s/eta=0.001,D=0.05"
  Config config;
  std::string directory;
};

// Every method of the config file with every combination of the axes' values, in folders below `root`.
std::vector<SweepCase> sweep_cases(const std::string& config_path, const Changes& changes,
                                   const std::vector<SweepAxis>& axes, const std::string& root);

// Whether the case's folder holds its finished run. One that holds another experiment is refused.
bool is_done(const SweepCase& one);

// Whether the case's folder holds the run of another config.
bool holds_another(const SweepCase& one);

// "finished", "diverged" or "interrupted"; "" where the folder holds no summary of this very case.
std::string status_of(const SweepCase& one);

// Runs the case anew, whatever an interrupted run left in its folder, on this many threads unless the config
// says.
Summary run_case(const SweepCase& one, RunOptions options, int threads);

// How runs are compared: by which measure, and where on which count.
struct Yardstick {
  std::string measure = "loss_mean_point";
  std::string count;  // e.g. "samples"; "" compares at the end
  double most = 0;

  bool larger_is_better() const { return measure == "accuracy"; }
};
Yardstick yardstick(const std::string& measure, const std::string& at);  // "loss_worst", "samples=4000"

struct SweepResult {
  double figure;    // the measure; NaN where it was not finite or not recorded
  Index iteration;  // of the record it is from
};

// From the last record that is within the yardstick's count.
SweepResult result_of(const SweepCase& one, const Yardstick& by);

}  // namespace doc2s
