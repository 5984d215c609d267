#pragma once
#include "doc2s/run/configs.hpp"

namespace doc2s {

// What an iteration of one of the paper's methods adds to a count, on average:
// "samples", "computation_rounds" or "communication_rounds".
double pace(const Config& config, const std::string& axis);

}  // namespace doc2s
