#pragma once
#include <string>

#include "doc2s/config/config.hpp"

namespace doc2s {

// What an iteration adds to a count of run.budget, on average over the first ones: "samples", "bytes" … The
// method is started, and steps where only that tells. Throws Error where the experiment is refused, or where
// the count never grows.
double probed_pace(const Config& config, const std::string& axis);

// Whether the problem has a test set.
bool has_accuracy(const Config& config);

}  // namespace doc2s
