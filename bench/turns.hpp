#pragma once
#include <atomic>
#include <functional>
#include <vector>

namespace doc2s::bench {

using Timed = std::function<double()>;  // does its work once and tells the seconds that it took

Timed clocked(std::function<void()> work);

// Calls of a short work until they last long enough for the clock; the seconds are those of one call.
Timed clocked_often(std::function<void()> work, double at_least_seconds = 0.002);

// Tries until they have lasted so long; the seconds are those of the best one. A short work needs a quiet
// moment as much as a long one.
Timed best_of_tries(Timed work, double at_least_seconds = 0.1);

// At least so many turns, and on until the seconds are over.
struct Patience {
  double seconds;
  int fewest = 3;
  const std::atomic<bool>* stop = nullptr;  // set from outside: no turn is begun any more
};

// The least time of each competitor. They take turns, A B A B …, so that whatever else the machine does meets
// all alike. Throws Interrupted.
std::vector<double> best_of_turns(const std::vector<Timed>& competitors, const Patience& patience);

}  // namespace doc2s::bench
