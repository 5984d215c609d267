// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <functional>
#include <vector>

namespace doc2s::bench {

using Timed = std::function<double()>;  // does its work once and returns the seconds it took

Timed clocked(std::function<void()> work);

// Repeats a short function until the clock can resolve it; returns the seconds of one call.
Timed clocked_often(std::function<void()> work, double at_least_seconds = 0.002);

// Repeats for at least this many seconds and returns the best time. A short function needs a quiet moment as
// much as a long one.
Timed best_of_tries(Timed work, double at_least_seconds = 0.1);

// At least `fewest` turns, and more until the seconds are over.
struct Patience {
  double seconds;
  int fewest = 3;
  const std::atomic<bool>* stop = nullptr;  // set from outside; no further turn starts
};

// The least time of each competitor. They run interleaved, A B A B …, so that other load on the machine
// affects all alike. Throws Interrupted.
std::vector<double> best_of_turns(const std::vector<Timed>& competitors, const Patience& patience);

}  // namespace doc2s::bench
