// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "metrics_file.hpp"

namespace doc2s {

// Reduces `expected` records to about 2,000: the first of each interval, and those where a measure is lowest
// or highest. Intervals are equal, but shorter at the start for logarithmic axes.
class Thinning {
 public:
  explicit Thinning(Index expected);

  void add(Index position, const Record& record);
  std::vector<std::vector<double>> finish();  // a list for each of quantities()

 private:
  struct Kept {
    Index position = -1;
    Record record;
  };
  void end_stretch();
  void keep_extremes(const Kept& candidate);

  std::vector<Index> starts_;  // of the intervals, ascending; empty if all records are kept
  std::size_t next_ = 0;       // index of the next interval
  Kept first_, last_;
  std::vector<Kept> lowest_, highest_;  // one per column, used for measures only
  std::vector<std::vector<double>> values_;
};

}  // namespace doc2s
