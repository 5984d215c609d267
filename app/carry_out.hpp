#pragma once
#include "doc2s/run/run.hpp"

namespace doc2s::app {

// Runs with a progress line, heeds Ctrl-C, prints the closing lines; returns the exit code.
int carry_out(const Config& config, RunOptions options, bool quiet);

}  // namespace doc2s::app
