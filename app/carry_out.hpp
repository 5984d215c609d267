#pragma once
#include <atomic>

#include "doc2s/run/run.hpp"

namespace doc2s::app {

// Set by Ctrl-C or SIGTERM once listen_to_signals() was called; a second one ends the program.
extern std::atomic<bool> stop_requested;
void listen_to_signals();

// Runs with a progress line, heeds Ctrl-C, prints the closing lines.
Summary carry_out(const Config& config, RunOptions options, bool quiet);

// Several methods one after the other, each in a folder of its own below options.directory, and one table at
// the end.
int compare(const std::vector<Config>& configs, RunOptions options, bool quiet);
int resume_comparison(const std::string& root, const Changes& changes, RunOptions options, bool quiet);

int exit_code(const Summary& summary);
std::string figure(double number);  // four digits, or "not finite"

}  // namespace doc2s::app
