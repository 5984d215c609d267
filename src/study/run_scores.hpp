// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "doc2s/config/config.hpp"
#include "doc2s/run/record.hpp"

namespace doc2s {

// The mean of the measure over the records in the last tenth of the way to `count` on the axis, at least over
// the last one: a single record of a method with a constant step says little. NaN where there is none.
double last_tenth(const std::string& directory, const std::string& axis, const std::string& measure,
                  double count);

struct Spread {
  double mean, lowest, highest;  // NaN where one of the figures is, or there is none
  double sd;                     // √(Σ (figure − mean)²/(count − 1)); NaN also where there is one
};
Spread spread_of(const std::vector<double>& figures);

// Iterations from one record to the next, for this many records in so many iterations. A record every whole
// number of epochs would always see the same phase of them: one iteration earlier, then.
Index record_spacing(const Config& config, Index iterations, Index records);

}  // namespace doc2s
