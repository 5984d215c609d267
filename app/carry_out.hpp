// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/run/run.hpp"
#include "run/kept_run.hpp"
#include "study/compare.hpp"

namespace doc2s::app {

// Runs with a progress line and heeds Ctrl-C; `kept`, where given, gets what the run leaves.
Summary watched_run(const Config& config, RunOptions options, bool quiet, KeptInMemory* kept = nullptr);

// The same, and prints the closing lines.
Summary carry_out(const Config& config, const RunOptions& options, bool quiet, KeptInMemory* kept = nullptr);

// The same for the runs of a comparison, to be given to compare().
RunOne carry_out_each(bool quiet);
int print_comparison(const Compared& compared, const RunOptions& options);  // returns the exit code

int exit_code(const Summary& summary);

}  // namespace doc2s::app
