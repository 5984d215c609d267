// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "data/samples.hpp"
#include "doc2s/problems/problem.hpp"
#include "kinds.hpp"
#include "made_rows.hpp"
#include "partition/partition.hpp"

namespace doc2s {

// Identifies a sample in messages.
struct SampleName {
  Index row;        // in the data file
  int client = -1;  // −1: of the test set
};

// Capped-ℓ1 support vector machine: F(x; a, b) = max{1 − b aᵀx, 0} + λ Σ_j min{|x_j|, α}, a sparse, b = ±1.
template <class Real>
class Svm : public Problem<Real> {
 public:
  Svm(const Samples& samples, const Shares& shares, double lambda, double alpha);
  // `rows` holds the shares as row numbers of the data file. A client in another process has an empty share.
  Svm(const Samples& samples, const Shares& shares, const Shares& rows, double lambda, double alpha);
  // Rows that are made when they are asked for. A client in another process has an empty part.
  Svm(std::shared_ptr<const SyntheticRows> rows, Parts parts, double lambda, double alpha);
  void set_test(const Samples& samples);                            // for accuracy()
  void set_validation(const std::vector<Samples>& parts);           // for validated()
  std::vector<double> test_outputs(std::span<const Real> x) const;  // aᵀx of the test samples

  int clients() const override { return static_cast<int>(first_.size()) - 1; }
  Index dimension() const override { return dimension_; }
  Index samples(int client) const override { return first_[client + 1] - first_[client]; }
  double value(int client, std::span<const Index> batch, std::span<const Real> x,
               std::span<Real> gradient) const override;
  void expect(int client, std::span<const Index> batch, bool soon) const override;
  Index row(int client, Index sample) const override { return row_[first_[client] + sample]; }
  double accuracy(std::span<const Real> x) const override;
  using Validated = typename Problem<Real>::Validated;
  std::vector<Validated> validated(std::span<const Real> x) const override;
  std::optional<double> lipschitz(int client) const override;              // max ‖a‖ + λ√d
  std::optional<double> mean_square_lipschitz(int client) const override;  // √ mean ‖a‖² + λ√d
  std::optional<double> lower_bound(int) const override { return 0; }
  Index held_samples() const override { return first_.back(); }

 private:
  using View = SampleView<Real>;

  // Samples by rows (CSR), values in the run's precision.
  struct Table {
    std::vector<Index> offsets{0};
    std::vector<std::int32_t> columns;
    std::vector<Real> values, labels;

    void append(const Samples& from, Index row, const SampleName& name);
    View view(Index row) const;
  };

  View sample(Index place) const { return made_ ? made_->view(row_[place]) : train_.view(place); }

  std::vector<double> row_squares(int client) const;  // ‖a‖²

  // λ Σ_j min{|x_j|, α}; its gradient replaces `gradient`, where that is asked for.
  double penalty(std::span<const Real> x, std::span<Real> gradient) const;

  Validated tried(const Table& table, std::span<const Real> x) const;

  Index dimension_;
  double lambda_, alpha_;
  Table train_, test_;
  std::vector<Table> validation_;
  std::unique_ptr<MadeRows<Real>> made_;  // in place of train_, where rows are made when they are asked for
  std::vector<Index> first_{0};           // client i holds the samples first_[i] ≤ place < first_[i+1]
  std::vector<Index> row_;                // row numbers in the data file
};

ProblemKind svm_kind();

}  // namespace doc2s
