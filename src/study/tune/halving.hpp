// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

namespace doc2s {

// Successive halving: all trials go a sixteenth of the way, the better half twice as far, and so on.
struct Rung {
  double share;  // of the budget, where it ends
  int trials;    // that go there
};
std::vector<Rung> rungs_for(int trials);

// What the rungs cost where each trial goes on from where it was, in runs over the whole budget.
double cost_in_runs(const std::vector<Rung>& rungs);

// Places of the `keep` lowest worths, in the order of their places; those that are not finite are never kept.
std::vector<int> lowest(const std::vector<double>& worths, int keep);

}  // namespace doc2s
