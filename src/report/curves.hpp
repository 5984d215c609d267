// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "recorded_run.hpp"

namespace doc2s {

struct Curve {
  std::string label;
  std::vector<double> x, y;       // y is the mean over seeds; NaN interrupts the curve
  std::vector<double> low, high;  // over seeds; empty for a single seed
};

// A group's measure against an axis. Seeds are recorded at different positions (seconds), so values are
// interpolated. A band ends where its first seed ends, unless that seed stopped early. A consensus error
// below rounding, 1e-15 (float32: 1e-7) of its largest or of 1, is left out.
Curve make_curve(const std::vector<RecordedRun>& runs, const RunGroup& group, std::size_t axis,
                 std::size_t measure);

}  // namespace doc2s
