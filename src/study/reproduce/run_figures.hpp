// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>

#include "study.hpp"

namespace doc2s {

// last_tenth() of the case; NaN where the run did not finish.
double figure_of(const SweepCase& one, const std::string& axis, const std::string& measure, double count);

// What the run had counted in the end, by the names of metrics.jsonl, and the hash of its trajectory.
struct RunEnd {
  std::map<std::string, double> counts;
  std::string trajectory;
};
RunEnd end_of(const SweepCase& one);

}  // namespace doc2s
