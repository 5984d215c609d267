// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "doc2s/run/run.hpp"

namespace doc2s {

struct LossAt {
  Index iteration;
  double loss;  // loss_mean_point
};

// Over all clients and the whole run.
struct StepCounts {
  Index estimates = 0;
  Index zeros = 0;    // estimates that were 0
  Index clipped = 0;  // steps cut to D
  Index noisy = 0;    // estimates from two values that differ by less than four roundings
};

// What "finished" does not say, with what to try next: at most two sentences, the most useful first, none of
// a good run. They follow from records and counts alone, so any number of processes gives the same.
std::vector<std::string> end_notes(const Config& config, const std::string& stopped_by,
                                   const std::vector<LossAt>& losses, const StepCounts& counts);

}  // namespace doc2s
