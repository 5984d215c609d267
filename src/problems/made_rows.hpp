// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <span>

#include "data/synthetic.hpp"

namespace doc2s {

// A sparse sample (a, b).
template <class Real>
struct SampleView {
  std::span<const std::int32_t> columns;
  std::span<const Real> values;
  Real label;

  double product(std::span<const Real> x) const {  // aᵀx
    double sum = 0;
    for (std::size_t k = 0; k < columns.size(); ++k) sum += static_cast<double>(values[k]) * x[columns[k]];
    return sum;
  }
};

// Rows of the synthetic data in the run's precision, made when they are asked for. A thread keeps the last
// few: an oracle asks for the same sample several times.
template <class Real>
class MadeRows {
 public:
  explicit MadeRows(std::shared_ptr<const SyntheticRows> rows);

  const SyntheticShape& shape() const { return rows_->shape(); }
  SampleView<Real> view(Index row) const;  // until the thread's next call

 private:
  std::shared_ptr<const SyntheticRows> rows_;
  std::uint64_t id_;  // of these rows, never used again
};

}  // namespace doc2s
