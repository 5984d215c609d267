#pragma once
#include <string>
#include <vector>

#include "recorded_run.hpp"

namespace doc2s {

struct Curve {
  std::string label;
  std::vector<double> x, y;       // y the mean over seeds; NaN breaks the curve
  std::vector<double> low, high;  // over seeds; empty where there is one
};

// A group's measure against an axis. Seeds are recorded at different places (seconds), so the others are
// interpolated; a band ends where its first seed does, unless that one was broken off early.
Curve make_curve(const std::vector<RecordedRun>& runs, const RunGroup& group, std::size_t axis,
                 std::size_t measure);

}  // namespace doc2s
