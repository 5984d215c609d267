#pragma once
#include "study.hpp"

namespace doc2s {

// The mean of the view's measure over the records in the last tenth of the way to `count` on its axis, at
// least over the last one: a single record of a method with a constant step says little. NaN where the run
// did not finish.
double figure_of(const SweepCase& one, const View& view, double count);

// How far the run got on an axis; 0 where it did not finish.
double last_count(const SweepCase& one, const std::string& axis);

}  // namespace doc2s
