// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "checkpoint/checkpoints.hpp"
#include "doc2s/config/config.hpp"

namespace doc2s {

// Throws Error where the run in the directory cannot go on with this config, or from what was found.
void check_resumable(const std::string& directory, const Checkpoints::Found& found, const Config& config);

// Throw Error where the records, or the trace that is to go on, are shorter than they were at the checkpoint.
void check_records(const Checkpoints::Texts& texts, const std::string& directory);
void check_trace(const Checkpoints::Texts& texts, const std::string& trace);

// Throws Error where the run had a trace and none is named now, or the other way round. It must be named
// again: a file elsewhere is not changed on the word of a checkpoint alone.
void check_trace_goes_on(const Checkpoints::Texts& texts, const std::string& asked);

}  // namespace doc2s
