#pragma once
#include <span>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

// The point of least norm in the convex hull of vectors that come one by one (Wolfe 1976), in float64. Only
// the inner products are kept; equal and nearly dependent vectors do no harm.
class LeastNorm {
 public:
  // A further vector p, given by its inner products with all vectors so far and, last, with itself. Solves
  // anew, from the weights in force.
  void add(std::span<const double> products);

  Index count() const { return static_cast<Index>(weights_.size()); }
  std::span<const double> weights() const { return weights_; }  // one a vector, ≥ 0, sum 1

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
  std::vector<Index> corral_;  // the vectors that carry weight
};

}  // namespace doc2s
