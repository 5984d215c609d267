// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "direction_kernels.hpp"
#include "doc2s/base/large_memory.hpp"

namespace doc2s {

// A direction z, z_j = factor · numbers_j rounded: who reads z multiplies on the way.
template <class Real>
struct Direction {
  LargeVector<Real> numbers;
  Real factor = 1;

  // w + step · z, in a thread-local buffer that the next call overwrites
  std::span<const Real> point_from(std::span<const Real> w, double step) const {
    thread_local LargeVector<Real> kept;
    kept.resize(w.size());
    by_kernels<DirectionKernels, Real>(
        [&](auto kernels) { kernels.point(w, static_cast<Real>(step), numbers, factor, kept); });
    return kept;
  }

  // to ← a z
  void times(Real a, std::span<Real> to) const {
    by_kernels<DirectionKernels, Real>([&](auto kernels) { kernels.times(a, numbers, factor, to); });
  }

  // to ← to + a z
  void add_times(Real a, std::span<Real> to) const {
    by_kernels<DirectionKernels, Real>([&](auto kernels) { kernels.add_times(a, numbers, factor, to); });
  }
};

}  // namespace doc2s
