// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

// The least-norm point in the convex hull of vectors added one by one (Wolfe 1976), in float64. Stores only
// inner products. Equal and nearly dependent vectors are allowed.
class LeastNorm {
 public:
  // Adds a vector p, given by its inner products with all previous vectors and, last, with itself. Solves
  // again, starting from the current weights.
  void add(std::span<const double> products);
  // Forgets one of several vectors and solves again.
  void remove(Index vector);

  Index count() const { return static_cast<Index>(weights_.size()); }
  std::span<const double> weights() const { return weights_; }  // one per vector, ≥ 0, sum 1

 private:
  double product(Index a, Index b) const { return a < b ? gram_[b][a] : gram_[a][b]; }
  double with_point(Index vector) const;  // ⟨p_vector, Σ w p⟩
  double squared_norm() const;            // ‖Σ w p‖²
  double largest() const;                 // max ‖p‖²

  void solve();
  std::vector<double> affine_weights() const;  // of the least-norm point of the corral's affine hull
  void minor_cycles();

  std::vector<std::vector<double>> gram_;  // row a holds ⟨p_a, p_b⟩ for b ≤ a
  std::vector<double> weights_;
  std::vector<Index> corral_;  // the vectors with positive weight
};

}  // namespace doc2s
