// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "doc2s/problems/problem.hpp"
#include "doc2s/run/run.hpp"
#include "kept_run.hpp"

namespace doc2s {

// What a run that came to its end left in summary.json; nothing if there is none, or the run was interrupted.
std::optional<Summary> summary_of_ended(const std::string& directory);

// Before a run that may be asked to resume, in every process: whether a run of this config and length has
// ended in the directory, with no checkpoint to go on from. Where nothing is there yet, the run will begin,
// so that a program that is started again and again goes on by itself. Notes tell of both. Throws Error where
// another config's run has ended there.
bool has_ended_already(RunOptions& options, const Config& config, std::vector<std::string>& notes);
// The same, and what that run left, with `outputs` in the first process.
std::optional<KeptInMemory> ended_already(RunOptions& options, const Config& config,
                                          std::vector<std::string>& notes);

// Throws Error where the run that ended there was of another function, x0 or network of the user's own:
// `own`, or what the config makes. Every process must call this.
template <class Real>
void refuse_another_problem(const std::string& directory, const Config& config, Processes& processes,
                            const Problem<Real>* own);
void refuse_another_problem(const std::string& directory, const Config& config);  // in this process alone

// Whether a run with another config was begun there.
bool holds_another_run(const std::string& directory, const Config& config);

Status status_in(const std::string& summary);  // of the text of a summary.json

}  // namespace doc2s
