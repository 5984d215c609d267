#pragma once
#include "doc2s/run/record.hpp"
#include "experiment.hpp"

namespace doc2s {

// What the run has used so far, but for what the run loop alone knows: iteration, computation_rounds,
// seconds.
template <class Real>
void count(const Experiment<Real>& experiment, Record& record);

// What it has reached, at the clients' iterates x_i and their mean x̄; infinity where that is not finite.
template <class Real>
void measure(const Experiment<Real>& experiment, Record& record);

// Both are of all clients, and so to be called by all processes together.

}  // namespace doc2s
