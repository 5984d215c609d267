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

// Whether the measure is one of test or validation samples, such as accuracy, that the problem has not.
bool lacks_samples(const Config& config, const std::string& measure);

inline bool is_of_test(std::string_view measure) { return measure == "accuracy" || measure == "test_rmse"; }
inline bool is_of_validation(std::string_view measure) { return measure.starts_with("validation_"); }

}  // namespace doc2s
