// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "base/kernels.hpp"
#include "doc2s/base/types.hpp"

namespace doc2s {

// For z_j = factor · numbers_j, and for the estimates made of it.
template <class Set, class Real>
struct DirectionKernels {
  using Numbers = std::span<const Real>;

  static void point(Numbers w, Real step, Numbers numbers, Real factor,
                    std::span<Real> to);                                            // to ← w + step z
  static void times(Real a, Numbers numbers, Real factor, std::span<Real> to);      // to ← a z
  static void add_times(Real a, Numbers numbers, Real factor, std::span<Real> to);  // to ← to + a z

  static bool all_within(Real limit, Numbers numbers);  // |x| ≤ limit for all of them
};

}  // namespace doc2s
