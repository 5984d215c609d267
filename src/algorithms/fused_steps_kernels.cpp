// SPDX-License-Identifier: Apache-2.0
#include "fused_steps.hpp"

#include <algorithm>
#include <cmath>

#include "base/filled_squares.hpp"

namespace doc2s {

template <class Set, class Real>
double FusedSteps<Set, Real>::descend(std::span<Real> Delta, Real eta, std::span<const Real> g) {
  return std::sqrt(
      filled_squares(Delta.data(), std::ssize(Delta),
                     [eta, from = g.data()](const Real* step, Index j) { return step[j] - eta * from[j]; }));
}

template <class Set, class Real>
double FusedSteps<Set, Real>::descend_from(Real c, std::span<const Real> v, Real eta, std::span<Real> g) {
  const auto fill = [&](auto number) { return std::sqrt(filled_squares(g.data(), std::ssize(g), number)); };
  if (c == 0) return fill([eta](const Real* from, Index j) { return 0 - eta * from[j]; });
  return fill([c, eta, step = v.data()](const Real* from, Index j) { return c * step[j] - eta * from[j]; });
}

template <class Set, class Real>
void FusedSteps<Set, Real>::step_along(std::span<const Real> Delta, double interpolation, std::span<Real> y,
                                       std::span<Real> w, std::span<Real> sum) {
  const auto s = static_cast<Real>(interpolation);
  const Real* const step = Delta.data();
  Real *const at = y.data(), *const between = w.data(), *const total = sum.data();
  const Index d = std::ssize(y);
#pragma GCC ivdep
  for (Index j = 0; j < d; ++j) {
    const Real point = at[j] + s * step[j];
    between[j] = point;
    total[j] += point;
    at[j] += step[j];
  }
}

template <class Set, class Real>
void FusedSteps<Set, Real>::step_with_momentum(Real a, Real eta, std::span<const Real> g, double scale,
                                               std::span<Real> Delta, std::span<Real> z) {
  const auto s = static_cast<Real>(scale);
  const Real* const from = g.data();
  Real *const step = Delta.data(), *const at = z.data();
  const Index d = std::ssize(z);
#pragma GCC ivdep
  for (Index j = 0; j < d; ++j) {
    const Real next = step[j] - a * (step[j] + eta * from[j]);
    step[j] = next;
    at[j] += s * next;
  }
}

template <class Set, class Real>
void FusedSteps<Set, Real>::add_to_mean(Real a, std::span<const Real> z, std::span<Real> mean) {
  const Real* const at = z.data();
  Real* const old = mean.data();
  const Index d = std::ssize(z);
#pragma GCC ivdep
  for (Index j = 0; j < d; ++j) old[j] += a * (at[j] - old[j]);
}

template <class Set, class Real>
void FusedSteps<Set, Real>::leap_along(std::span<const Real> v, Real a, Real b, std::span<Real> y,
                                       std::span<Real> w) {
  const Index d = std::ssize(y);
  if (b == 0) {
    std::ranges::copy(y, w.begin());
    return;
  }
  const Real* const step = v.data();
  Real *const at = y.data(), *const between = w.data();
#pragma GCC ivdep
  for (Index j = 0; j < d; ++j) {
    between[j] = at[j] + a * step[j];
    at[j] += b * step[j];
  }
}

template <class Set, class Real>
void FusedSteps<Set, Real>::add_interpolated(std::span<Real> sum, std::span<const Real> y, Real a,
                                             std::span<const Real> v) {
  const Index d = std::ssize(sum);
  const Real *const at = y.data(), *const step = v.data();
  Real* const total = sum.data();
  if (a == 0)
    for (Index j = 0; j < d; ++j) total[j] += at[j];
  else
    for (Index j = 0; j < d; ++j) total[j] = total[j] + at[j] + a * step[j];
}

template struct FusedSteps<DOC2S_KERNEL_SET, float>;
template struct FusedSteps<DOC2S_KERNEL_SET, double>;

}  // namespace doc2s
