// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "base/kernels.hpp"

namespace doc2s {

template <class Set, class Real>
struct SvmKernels {
  // Σ_j min{|x_j|, α}
  static double capped_sum(std::span<const Real> x, double alpha);

  // The same; gradient = λ sign(x_j) where |x_j| < α, else 0 (λ ≥ 0).
  static double capped_sum(std::span<const Real> x, double alpha, Real lambda, std::span<Real> gradient);
};

}  // namespace doc2s
