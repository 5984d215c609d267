#pragma once
#include <span>

#include "doc2s/base/large_memory.hpp"
#include "doc2s/base/types.hpp"

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
    Real* const point = kept.data();
    const Real *const z = numbers.data(), *const from = w.data(), scale = factor;
    const auto rounded = static_cast<Real>(step);
    const Index d = std::ssize(w);
#pragma GCC ivdep  // no two of them overlap
    for (Index j = 0; j < d; ++j) point[j] = from[j] + rounded * (scale * z[j]);
    return kept;
  }

  // to ← a z
  void times(Real a, std::span<Real> to) const {
    for (std::size_t j = 0; j < to.size(); ++j) to[j] = a * (factor * numbers[j]);
  }

  // to ← to + a z
  void add_times(Real a, std::span<Real> to) const {
    for (std::size_t j = 0; j < to.size(); ++j) to[j] += a * (factor * numbers[j]);
  }
};

}  // namespace doc2s
