#pragma once
#include <string>

#include "checkpoints.hpp"
#include "doc2s/run/config.hpp"

namespace doc2s {

// Throws Error where the run in the directory cannot go on with this config, or from what was found.
void check_resumable(const std::string& directory, const Checkpoints::Found& found, const Config& config);

// Throws Error where the run had another trace than is asked for now. It must be named again: a file
// elsewhere is not changed on the word of a checkpoint alone.
void check_trace_goes_on(const Checkpoints::Texts& texts, const std::string& asked);

}  // namespace doc2s
