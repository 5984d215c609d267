#pragma once
#include <functional>
#include <vector>

namespace doc2s::bench {

using Timed = std::function<double()>;  // does its work once and tells the seconds that it took

Timed clocked(std::function<void()> work);

// Calls of a short work until they last long enough for the clock; the seconds are those of one call.
Timed clocked_often(std::function<void()> work, double at_least_seconds = 0.002);

// The least time of each competitor. They take turns, A B A B …, so that whatever else the machine does
// meets all alike: at least `fewest` turns, and on until `seconds` are over.
std::vector<double> best_of_turns(const std::vector<Timed>& competitors, double seconds, int fewest = 3);

}  // namespace doc2s::bench
