// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <vector>

#include "doc2s/run/record.hpp"
#include "experiment.hpp"

namespace doc2s {

// All are collective: every process must call them.

std::vector<Index> totals(Processes& processes, const std::vector<Index>& mine);  // sums over all processes

// What the run has used so far, but for what the run loop alone knows: iteration, computation_rounds,
// seconds.
template <class Real>
void fill_counts(const Experiment<Real>& experiment, Record& record);

// What it has reached, at the clients' iterates x_i and their mean x̄; infinity where that is not finite. The
// record must hold the iteration. Throws Interrupted where `stop` is set before they are computed; null:
// never.
template <class Real>
void fill_measures(const Experiment<Real>& experiment, Record& record,
                   const std::atomic<bool>* stop = nullptr);

}  // namespace doc2s
