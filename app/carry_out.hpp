#pragma once
#include "doc2s/run/run.hpp"

namespace doc2s::app {

// Runs with a progress line, heeds Ctrl-C, prints the closing lines.
Summary carry_out(const Config& config, RunOptions options, bool quiet);

int exit_code(const Summary& summary);

}  // namespace doc2s::app
