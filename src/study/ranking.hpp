#pragma once
#include "sweep.hpp"

namespace doc2s {

// How runs are compared: by which measure, and where on which count.
struct Yardstick {
  const Quantity* measure;
  const Quantity* count;  // nullptr compares at the end
  double most;
};
Yardstick yardstick(const std::string& measure, const std::string& at);  // "loss_worst", "samples=4000"

struct SweepResult {
  double figure;    // the measure; NaN where it was not finite or not recorded
  Index iteration;  // of the record it is from
};

// From the last record that is within the yardstick's count and has the measure.
SweepResult result_of(const SweepCase& one, const Yardstick& by);

// The cases that are done, the best first; those without the measure last.
struct RankedCase {
  const SweepCase* one;
  SweepResult result;
};
std::vector<RankedCase> ranked(const std::vector<SweepCase>& cases, const Yardstick& by);
void write_ranking(const std::string& root, const std::vector<RankedCase>& rows,
                   const Yardstick& by);  // sweep.csv

}  // namespace doc2s
