// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/problems/problem.hpp"
#include "held_inputs.hpp"

namespace doc2s {

// A network on labelled inputs: what the MLP and the networks of libtorch share.
template <class Real>
class InputsProblem : public Problem<Real> {
 public:
  // The network's outputs z for all inputs, row by row: one a class, or one number.
  virtual std::vector<double> outputs(const Inputs& inputs, std::span<const Real> x) const = 0;

  int clients() const override { return static_cast<int>(train_.shares.size()); }
  Index samples(int client) const override { return static_cast<Index>(train_.shares[client].size()); }
  Index row(int client, Index sample) const override { return train_.rows[client][sample]; }
  Index held_samples() const override { return train_.inputs.count(); }
  std::optional<double> lower_bound(int) const override { return 0; }
  double accuracy(std::span<const Real> x) const override;
  double test_rmse(std::span<const Real> x) const override;
  using Validated = typename Problem<Real>::Validated;
  std::vector<Validated> validated(std::span<const Real> x) const override;

 protected:
  explicit InputsProblem(HeldInputs train);
  void set_test_inputs(Inputs test);

  HeldInputs train_;

 private:
  void require_alike(const Inputs& inputs, const char* whose) const;
  Validated tried(const Inputs& inputs, std::span<const Real> x) const;

  Inputs test_;
};

// Throws Error if a label is not below `classes`.
void check_labels(const Images& images, int classes);

// The place of the largest of these outputs, the first where several are.
Index largest_of(std::span<const double> outputs);

// √(Σ(z − y)²/m)
double squared_errors(std::span<const double> outputs, std::span<const double> targets);  // Σ(z − y)²
double root_mean_square_error(std::span<const double> outputs, std::span<const double> targets);

}  // namespace doc2s
