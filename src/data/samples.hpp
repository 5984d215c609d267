#pragma once
#include <cstdint>
#include <functional>
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
  Index features = 0;  // in the file, also those of rows that were not kept
  std::string notice;  // what was done to the data that its owner should know, e.g. labels mapped

  Index count() const { return static_cast<Index>(labels.size()); }
};

// Which rows are kept with their features; of the others there is only the label. Empty: all are.
using KeepRow = std::function<bool(Index row)>;

// The rows of `more` behind those that are there.
void append(Samples& samples, const Samples& more);

struct LabelPair {
  double negative, positive;  // what stands for −1 and +1

  bool holds(double label) const { return label == negative || label == positive; }
  std::string name() const;  // e.g. "0/1"
};

// The pairs that are understood: −1/+1, 0/1, 1/2. fitting_pair is the first that holds every label; throws
// Error at the sample where the last of them falls.
const std::vector<LabelPair>& label_pairs();
std::string label_pair_names();
LabelPair fitting_pair(const Samples& samples);

// Labels ±1, 0/1 or 1/2 become ±1 (the larger is +1) and the notice says so; others are refused. Returns the
// pair found: a test set is mapped with its training set's.
LabelPair map_labels_to_signs(Samples& samples);
void map_labels_to_signs(Samples& samples, LabelPair pair);

}  // namespace doc2s
