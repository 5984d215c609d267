// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "doc2s/config/config.hpp"

namespace doc2s {

// What an iteration adds to a count of run.budget, on average over the first ones: "samples", "bytes" … The
// method is started, and steps where only that tells. Throws Error where the experiment is refused, or where
// the count never grows.
double probed_pace(const Config& config, const std::string& axis);

// Whether the measure is one of a test set, accuracy or test_rmse, that the problem has not.
bool lacks_test(const Config& config, std::string_view measure);

}  // namespace doc2s
