#pragma once
#include <map>

#include "study.hpp"

namespace doc2s {

// The mean of the measure over the records in the last tenth of the way to `count` on the axis, at least over
// the last one: a single record of a method with a constant step says little. NaN where the run did not
// finish.
double figure_of(const SweepCase& one, const std::string& axis, const std::string& measure, double count);

// What the run had counted in the end, by the names of metrics.jsonl, and the hash of its trajectory.
struct RunEnd {
  std::map<std::string, double> counts;
  std::string trajectory;
};
RunEnd end_of(const SweepCase& one);

}  // namespace doc2s
