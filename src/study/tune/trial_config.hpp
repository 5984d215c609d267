// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tune.hpp"

namespace doc2s {

// The config with these values, ended by nothing but the budget.
Config config_with(const Config& config, const std::vector<SearchRange>& ranges,
                   const std::vector<Value>& values, const TuneBudget& budget);

// The same for a run that ends at this share of the budget, can be made longer, and has several records in
// the last tenth of its way, unless run.record_every is fixed. `pace`: what an iteration adds to the budget's
// count.
struct Stretch {
  double share;
  double pace;
  bool spaced;
};
Config config_up_to(Config config, const TuneBudget& budget, const Stretch& stretch);

// The config's own values; those outside a range that was asked for are moved to its end.
std::vector<Value> own_values(const Config& config, const std::vector<SearchRange>& ranges,
                              const std::vector<AskedRange>& asked);

}  // namespace doc2s
