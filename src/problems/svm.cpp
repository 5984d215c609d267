// SPDX-License-Identifier: Apache-2.0
#include "svm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/ordered_sum.hpp"
#include "doc2s/base/cache_lines.hpp"
#include "doc2s/base/error.hpp"
#include "svm_kernels.hpp"

namespace doc2s {

template <class Real>
Svm<Real>::Svm(const Samples& samples, const Shares& shares, double lambda, double alpha)
    : Svm(samples, shares, shares, lambda, alpha) {}

template <class Real>
Svm<Real>::Svm(const Samples& samples, const Shares& shares, const Shares& rows, double lambda, double alpha)
    : dimension_(samples.dimension), lambda_(lambda), alpha_(alpha) {
  for (std::size_t client = 0; client < shares.size(); ++client) {
    for (std::size_t k = 0; k < shares[client].size(); ++k)
      train_.append(samples, shares[client][k], {rows[client][k], static_cast<int>(client)});
    row_.insert(row_.end(), rows[client].begin(), rows[client].end());
    first_.push_back(static_cast<Index>(row_.size()));
  }
}

template <class Real>
Svm<Real>::Svm(std::shared_ptr<const SyntheticRows> rows, Parts parts, double lambda, double alpha)
    : dimension_(rows->shape().dimension),
      lambda_(lambda),
      alpha_(alpha),
      made_(std::make_unique<MadeRows<Real>>(std::move(rows))),
      first_(std::move(parts.first)),
      row_(std::move(parts.rows)) {}

template <class Real>
void Svm<Real>::set_test(const Samples& samples) {
  test_ = {};
  for (Index row = 0; row < samples.count(); ++row) test_.append(samples, row, {row});
}

template <class Real>
void Svm<Real>::set_validation(const std::vector<Samples>& parts) {
  validation_.clear();
  for (const Samples& part : parts) {
    Table& table = validation_.emplace_back();
    for (Index row = 0; row < part.count(); ++row) table.append(part, row, {row});
  }
}

namespace {

// Converts to the run's precision; throws if the value is too large for float32.
template <class Real>
Real rounded(double value, const Samples& from, const SampleName& name) {
  const auto number = static_cast<Real>(value);
  if (!std::isfinite(number))
    throw Error(fmt::format("sample {}{} has the value {}, which is beyond float32", name.row + 1,
                            name.client < 0 ? "" : fmt::format(" (client {})", name.client), value),
                from.source, "take precision = \"float64\" or scale the data");
  return number;
}

}  // namespace

template <class Real>
void Svm<Real>::Table::append(const Samples& from, Index row, const SampleName& name) {
  const Index begin = from.offsets[row], end = from.offsets[row + 1];
  columns.insert(columns.end(), from.columns.begin() + begin, from.columns.begin() + end);
  for (Index k = begin; k < end; ++k) values.push_back(rounded<Real>(from.values[k], from, name));
  labels.push_back(static_cast<Real>(from.labels[row]));
  offsets.push_back(static_cast<Index>(columns.size()));
}

template <class Real>
SampleView<Real> Svm<Real>::Table::view(Index row) const {
  const Index begin = offsets[row], count = offsets[row + 1] - begin;
  return {std::span(columns).subspan(begin, count), std::span(values).subspan(begin, count), labels[row]};
}

namespace {

constexpr std::size_t most_fetched = 8;  // samples; later ones are prefetched while the first are processed

// Prefetches unaligned numbers.
template <class Number>
[[gnu::always_inline]] inline void fetch(const Number* first, Index count) {
  prefetch<Fetch::to_read>(first, count);
  prefetch<Fetch::to_read>(first + count, 1);
}

}  // namespace

// Samples are drawn from the whole table, which does not fit in the inner caches.
template <class Real>
void Svm<Real>::expect(int client, std::span<const Index> batch, bool soon) const {
  if (made_) return;
  for (const Index sample : batch.first(std::min(most_fetched, batch.size()))) {
    const Index row = first_[client] + sample;
    if (!soon) {  // its offsets …
      fetch(train_.offsets.data() + row, 1);
      fetch(train_.labels.data() + row, 0);
    } else {  // … and its contents
      const Index begin = train_.offsets[row], count = train_.offsets[row + 1] - begin;
      fetch(train_.columns.data() + begin, count);
      fetch(train_.values.data() + begin, count);
    }
  }
}

template <class Real>
double Svm<Real>::value(int client, std::span<const Index> batch, std::span<const Real> x,
                        std::span<Real> gradient) const {
  const auto share = 1.0 / static_cast<double>(batch.size());
  const double penalties = penalty(x, gradient);
  double hinge = 0;
  for (const Index number : batch) {
    const View row = sample(first_[client] + number);
    const double label = row.label;
    const double margin = 1 - label * row.product(x);
    if (margin <= 0) continue;
    hinge += margin;
    if (gradient.empty()) continue;
    for (std::size_t k = 0; k < row.columns.size(); ++k)  // ∇ −= b a / batch
      gradient[row.columns[k]] -= static_cast<Real>(share * label * row.values[k]);
  }
  return hinge * share + penalties;
}

template <class Real>
double Svm<Real>::penalty(std::span<const Real> x, std::span<Real> gradient) const {
  return lambda_ * by_kernels<SvmKernels, Real>([&](auto kernels) {
           if (gradient.empty()) return kernels.capped_sum(x, alpha_);
           return kernels.capped_sum(x, alpha_, static_cast<Real>(lambda_), gradient);
         });
}

template <class Real>
std::vector<double> Svm<Real>::test_outputs(std::span<const Real> x) const {
  std::vector<double> outputs;
  for (Index row = 0; row < std::ssize(test_.labels); ++row) outputs.push_back(test_.view(row).product(x));
  return outputs;
}

template <class Real>
typename Problem<Real>::Validated Svm<Real>::tried(const Table& table, std::span<const Real> x) const {
  Index right = 0;
  for (Index row = 0; row < std::ssize(table.labels); ++row)
    right += table.view(row).product(x) * table.labels[row] > 0;
  return {static_cast<double>(table.labels.size()), static_cast<double>(right)};
}

template <class Real>
std::vector<typename Problem<Real>::Validated> Svm<Real>::validated(std::span<const Real> x) const {
  std::vector<Validated> parts;
  for (const Table& part : validation_) parts.push_back(tried(part, x));
  return parts;
}

template <class Real>
double Svm<Real>::accuracy(std::span<const Real> x) const {
  if (test_.labels.empty()) return Problem<Real>::accuracy(x);
  const auto [rows, right] = tried(test_, x);
  return right / rows;
}

template <class Real>
std::vector<double> Svm<Real>::row_squares(int client) const {
  std::vector<double> squares;
  for (Index place = first_[client]; place < first_[client + 1]; ++place) {
    const View row = sample(place);
    squares.push_back(ordered_sum(std::ssize(row.values), [&](Index k) {
      const double value = row.values[k];
      return value * value;
    }));
  }
  return squares;
}

template <class Real>
std::optional<double> Svm<Real>::lipschitz(int client) const {
  const auto squares = row_squares(client);
  const double longest = squares.empty() ? 0 : *std::ranges::max_element(squares);
  return std::sqrt(longest) + lambda_ * std::sqrt(static_cast<double>(dimension_));
}

// E(‖a‖ + λ√d)² ≤ (√E‖a‖² + λ√d)²
template <class Real>
std::optional<double> Svm<Real>::mean_square_lipschitz(int client) const {
  const auto squares = row_squares(client);
  const double sum = ordered_sum(std::ssize(squares), [&](Index k) { return squares[k]; });
  const double mean = squares.empty() ? 0 : sum / static_cast<double>(squares.size());
  return std::sqrt(mean) + lambda_ * std::sqrt(static_cast<double>(dimension_));
}

template class Svm<float>;
template class Svm<double>;

}  // namespace doc2s
