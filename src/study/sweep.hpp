// SPDX-License-Identifier: Apache-2.0
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
SweepAxis sweep_axis(const std::string& text);
Changes changes_from(const std::vector<std::string>& texts);  // "key=value" each
void append(Changes& changes, const Changes& more);

// All ways to take one value of each axis; the last axis runs fastest. No axis: one way, which changes
// nothing.
std::vector<Changes> combinations(const std::vector<SweepAxis>& axes);
std::string name_of(const Changes& combination);  // "eta=0.001,D=0.05"

// One experiment of a sweep and its folder.
struct SweepCase {
  std::string name;  // "doc2s/eta=0.001,D=0.05"
  Config config;
  std::string directory;
  std::string setting{};  // the name without the seed: "doc2s/eta=0.001,D=0.05"
};

// Every method of the config file with every combination of the axes' values, in folders below `root`.
std::vector<SweepCase> sweep_cases(const std::string& config_path, const Changes& changes,
                                   const std::vector<SweepAxis>& axes, const std::string& root);

// Whether the case's folder holds its finished run. One that holds another experiment is refused.
bool is_done(const SweepCase& one);

// Whether the case's folder holds the run of another config.
bool holds_another(const SweepCase& one);

// Running where the folder holds no summary of this very case.
Status status_of(const SweepCase& one);

// Runs the case anew, whatever an interrupted run left in its folder, on this many threads unless the config
// says.
Summary run_case(const SweepCase& one, RunOptions options, int threads);

// Runs the cases, `jobs` at a time, which share the cores; `told` is called after each, never twice at once.
// `going`, where given, is told now and then how many are done, with the shares of those under way. A case
// that is due after `stop` was set is left out.
void run_cases(const std::vector<SweepCase>& cases, int jobs, const std::atomic<bool>& stop,
               const std::function<void(const SweepCase&, const Summary&)>& told,
               const std::function<void(double done)>& going = {});

std::string outcome_text(const SweepCase& one,
                         const Summary& summary);  // "doc2s/eta=1 finished, loss 0.5000"

}  // namespace doc2s
