// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "doc2s/base/processes.hpp"
#include "doc2s/run/run.hpp"

// What a run says of itself, and why it refuses to begin.
namespace doc2s {

// "run.budget.samples = 4000 is reached; to go on: --set run.budget.samples=8000"
std::string what_ended_it(const Config& config, const std::string& stopped_by);

std::string points_are_not_kept(Index clients, Index dimension);

// Throws Error where a run that goes on is beyond its end, `length` or its budget, already.
void refuse_to_be_shorter(const Config& config, Index length, Index iteration, const std::string& directory);

// Before anything is done together: processes that do different things would wait for each other for ever.
void refuse_different_runs(const Config& config, const RunOptions& options, Processes& processes);

}  // namespace doc2s
