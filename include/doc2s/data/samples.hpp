#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

// Labelled sparse samples as a file holds them, by rows (CSR): row r has the columns and values at
// offsets[r] ≤ k < offsets[r+1], columns 0-based and ascending.
struct Samples {
  std::string source;  // the file's path, or "synthetic"
  Index dimension = 0;
  std::vector<Index> offsets{0};
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  std::vector<double> labels;
  std::string notice;  // what was done to the data that its owner should know, e.g. labels mapped

  Index count() const { return static_cast<Index>(labels.size()); }
};

struct LabelPair {
  double negative, positive;  // what stands for −1 and +1
};

// Labels ±1, 0/1 or 1/2 become ±1 (the larger is +1) and the notice says so; others are refused. Returns the
// pair found: a test set is mapped with its training set's.
LabelPair map_labels_to_signs(Samples& samples);
void map_labels_to_signs(Samples& samples, LabelPair pair);

}  // namespace doc2s
