#pragma once
#include <vector>

#include "metrics_file.hpp"

namespace doc2s {

// Leaves at most about 2,000 of `expected` records: of each stretch the first, and those where a measure is
// lowest and highest. The stretches are equal, but shorter at the start, where a logarithmic axis looks
// closely.
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

  std::vector<Index> starts_;  // of the stretches, ascending; empty where all records stay
  std::size_t next_ = 0;       // the stretch that comes after this one
  Kept first_, last_;
  std::vector<Kept> lowest_, highest_;  // one for each column, used for measures only
  std::vector<std::vector<double>> values_;
};

}  // namespace doc2s
