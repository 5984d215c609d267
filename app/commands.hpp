// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

#include "doc2s/base/processes.hpp"
#include "report/recorded_run.hpp"

namespace doc2s::app {

// What the program does once its arguments are read; returns the exit code. Mistakes are thrown as
// doc2s::Error.
using Action = std::function<int()>;

// One function a command, in the file of its name: adds the command and its flags to the program; where it is
// chosen, `action` becomes what it does.
void add_run(CLI::App& program, Action& action, Processes& processes);
void add_sweep(CLI::App& program, Action& action);
void add_tune(CLI::App& program, Action& action);
void add_demo(CLI::App& program, Action& action);
void add_network(CLI::App& program, Action& action);
void add_plan(CLI::App& program, Action& action);
void add_guarantee(CLI::App& program, Action& action);
void add_certify(CLI::App& program, Action& action);
void add_predict(CLI::App& program, Action& action);
void add_list(CLI::App& program, Action& action);
void add_explain(CLI::App& program, Action& action);
void add_data(CLI::App& program, Action& action);
void add_report(CLI::App& program, Action& action);
void add_reproduce(CLI::App& program, Action& action);
void add_bench(CLI::App& program, Action& action);

// The report's page, and a line on stdout that it is there.
void write_page(const std::vector<RecordedRun>& runs, const std::string& path, const std::string& title,
                bool quiet = false);

}  // namespace doc2s::app
