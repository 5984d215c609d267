// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/run/configs.hpp"

namespace doc2s {

// What an iteration adds to a count, on average: "samples", "computation_rounds" or, of the paper's methods,
// "communication_rounds".
double pace(const Config& config, const std::string& axis);

}  // namespace doc2s
