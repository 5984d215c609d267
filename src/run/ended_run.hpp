#pragma once
#include <optional>
#include <string>

#include "doc2s/run/run.hpp"

namespace doc2s {

// What a run that came to its end left in summary.json; nothing if there is none, or the run was interrupted.
std::optional<Summary> summary_of_ended(const std::string& directory);

}  // namespace doc2s
