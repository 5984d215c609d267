// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

// Labelled sparse samples in CSR form: row r has the columns and values at offsets[r] ≤ k < offsets[r+1];
// columns are 0-based and ascending.
struct Samples {
  std::string source;  // path of the file, or "synthetic"
  Index dimension = 0;
  std::vector<Index> offsets{0};
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  std::vector<double> labels;
  Index features = 0;  // in the whole file, including rows that were not kept
  std::string notice;  // what the user should know, e.g. that labels were mapped

  Index count() const { return static_cast<Index>(labels.size()); }
};

// Selects the rows whose features are kept; labels are always kept. Empty: all rows.
using KeepRow = std::function<bool(Index row)>;

// Appends the rows of `more`.
void append(Samples& samples, const Samples& more);

struct LabelPair {
  double negative, positive;  // the labels that mean −1 and +1

  bool holds(double label) const { return label == negative || label == positive; }
  std::string name() const;  // e.g. "0/1"
};

// The supported pairs: −1/+1, 0/1, 1/2. fitting_pair returns the first that contains every label; throws
// Error at the sample that rules out the last one.
const std::vector<LabelPair>& label_pairs();
std::string label_pair_names();
LabelPair fitting_pair(const Samples& samples);

// Maps labels ±1, 0/1 or 1/2 to ±1 (the larger becomes +1) and says so in the notice; refuses others. Returns
// the pair found, which is also used for the test set.
LabelPair map_labels_to_signs(Samples& samples);
void map_labels_to_signs(Samples& samples, LabelPair pair);

}  // namespace doc2s
