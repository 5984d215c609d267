// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/run/run.hpp"

namespace doc2s {

// Carries out one of the runs; run() itself will do.
using RunOne = std::function<Summary(const Config& config, const RunOptions& options)>;

struct Compared {
  std::string root;
  std::vector<Config> configs;
  std::vector<Summary> summaries;  // up to the first run that was interrupted
};

// Several methods one after the other, each in a folder of its own below options.directory.
Compared compare(const std::vector<Config>& configs, RunOptions options, const RunOne& run_one);

// The comparison in options.directory goes on: what has ended is left as it is, unless `changes` ask for
// more.
Compared resume_comparison(const Changes& changes, RunOptions options, const RunOne& run_one);

// compare() at the first start, resume_comparison() at the next ones. Throws Error where the folder holds
// other runs, unless they may be replaced.
Compared continue_comparison(const std::vector<Config>& configs, RunOptions options, const RunOne& run_one);

}  // namespace doc2s
