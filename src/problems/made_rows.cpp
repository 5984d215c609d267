// SPDX-License-Identifier: Apache-2.0
#include "made_rows.hpp"

#include <array>
#include <atomic>

namespace doc2s {

namespace {

std::atomic<std::uint64_t> row_sources = 0;  // made so far

template <class Real>
struct KeptRow {
  std::uint64_t source = 0;  // of no rows
  Index row = 0;
  std::vector<std::int32_t> columns;
  std::vector<Real> values;
  Real label = 0;

  void take(const SyntheticRow& made) {
    columns = made.columns;
    values.assign(made.values.begin(), made.values.end());
    label = static_cast<Real>(made.label);
  }
};

constexpr std::size_t rows_kept = 16;  // a batch of moderate size

}  // namespace

template <class Real>
MadeRows<Real>::MadeRows(std::shared_ptr<const SyntheticRows> rows)
    : rows_(std::move(rows)), id_(++row_sources) {}

template <class Real>
SampleView<Real> MadeRows<Real>::view(Index row) const {
  thread_local std::array<KeptRow<Real>, rows_kept> all;
  thread_local SyntheticRow made;
  KeptRow<Real>& kept = all[static_cast<std::size_t>(row) % rows_kept];
  if (kept.source != id_ || kept.row != row) {
    rows_->make(row, made);
    kept.take(made);
    kept.source = id_;
    kept.row = row;
  }
  return {kept.columns, kept.values, kept.label};
}

template class MadeRows<float>;
template class MadeRows<double>;

}  // namespace doc2s
