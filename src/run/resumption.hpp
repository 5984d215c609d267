#pragma once
#include <string>

#include "checkpoints.hpp"
#include "doc2s/run/config.hpp"

namespace doc2s {

// Throws Error where the run in the directory cannot go on with this config, or from what was found.
void check_resumable(const std::string& directory, const Checkpoints::Found& found, const Config& config);

// The trace that goes on: the one that the run had; where `asked` names another, an Error is thrown.
std::string resumed_trace(const Checkpoints::Texts& texts, const std::string& asked);

}  // namespace doc2s
