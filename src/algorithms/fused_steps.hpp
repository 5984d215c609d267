// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "base/kernels.hpp"

// Loops that do several lines of a listing in one pass over memory. No two vectors overlap.
namespace doc2s {

template <class Set, class Real>
struct FusedSteps {
  // Δ ← Δ − η g; returns ‖Δ‖.
  static double descend(std::span<Real> Delta, Real eta, std::span<const Real> g);

  // g ← c v − η g; returns its length. Where c is 0, v is not read.
  static double descend_from(Real c, std::span<const Real> v, Real eta, std::span<Real> g);

  // w = y + s Δ, sum += w, y ← y + Δ
  static void step_along(std::span<const Real> Delta, double interpolation, std::span<Real> y,
                         std::span<Real> w, std::span<Real> sum);

  // Δ ← βΔ − η(1 − β)g, z ← z + sΔ. By a = 1 − β, as a float near 1 says little of 1 − β: Δ ← Δ − a(Δ + ηg).
  static void step_with_momentum(Real a, Real eta, std::span<const Real> g, double scale,
                                 std::span<Real> Delta, std::span<Real> z);

  // mean ← β mean + (1 − β) z, by a = 1 − β: mean ← mean + a(z − mean)
  static void add_to_mean(Real a, std::span<const Real> z, std::span<Real> mean);

  // w = y + a v, y ← y + b v. b = 0 only where a = 0; v is then not read.
  static void leap_along(std::span<const Real> v, Real a, Real b, std::span<Real> y, std::span<Real> w);

  // sum += y + a v. Where a is 0, v is not read.
  static void add_interpolated(std::span<Real> sum, std::span<const Real> y, Real a, std::span<const Real> v);
};

DOC2S_KERNEL(FusedSteps, descend)
DOC2S_KERNEL(FusedSteps, descend_from)
DOC2S_KERNEL(FusedSteps, step_along)
DOC2S_KERNEL(FusedSteps, step_with_momentum)
DOC2S_KERNEL(FusedSteps, add_to_mean)
DOC2S_KERNEL(FusedSteps, leap_along)
DOC2S_KERNEL(FusedSteps, add_interpolated)

}  // namespace doc2s
