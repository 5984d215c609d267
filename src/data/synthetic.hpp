// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "samples.hpp"

namespace doc2s {

struct SyntheticShape {
  Index size = 2000;      // samples
  Index dimension = 50;   // features
  double sparsity = 0.2;  // share of non-zero features per sample, in (0, 1]
  double noise = 0.05;    // share of flipped labels, in [0, ½]
};

struct SyntheticRow {
  std::vector<std::int32_t> columns;  // ascending
  std::vector<double> values;
  double label = 0;
  std::vector<std::uint64_t> taken{};  // room to draw columns, a bit each: all 0 between rows
};

// Labels ±1 from a random hyperplane, sparse rows of unit norm; a pure function of shape, seed and row.
class SyntheticRows {
 public:
  SyntheticRows(const SyntheticShape& shape, std::uint64_t seed);

  const SyntheticShape& shape() const { return shape_; }
  Index entries() const { return entries_; }  // of a row
  void make(Index row, SyntheticRow& out) const;

 private:
  SyntheticShape shape_;
  std::uint64_t seed_;
  Index entries_;
  std::vector<double> normal_;  // of the hyperplane
};

// All rows.
Samples make_synthetic(const SyntheticShape& shape, std::uint64_t seed, const KeepRow& keep = {});

}  // namespace doc2s
