// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <span>

#include "doc2s/base/types.hpp"
#include "kernels.hpp"

namespace doc2s {

// The loops of the functions below.
template <class Set, class Real>
struct VectorKernels {
  static double dot(std::span<const Real> a, std::span<const Real> b);
  static double squared_distance(std::span<const Real> a, std::span<const Real> b);
  static void scale(std::span<Real> y, Real factor);
  static void add_scaled(std::span<Real> y, Real factor, std::span<const Real> x);
};

// aᵀb. Sums use the order of ordered_sum.hpp, in double.
template <class Real>
double dot(std::span<const Real> a, std::span<const Real> b) {
  return by_kernels<VectorKernels, Real>([&](auto kernels) { return kernels.dot(a, b); });
}

// ‖a‖
template <class Real>
double norm(std::span<const Real> a) {
  return std::sqrt(dot(a, a));
}

// ‖a − b‖
template <class Real>
double distance(std::span<const Real> a, std::span<const Real> b) {
  return std::sqrt(
      by_kernels<VectorKernels, Real>([&](auto kernels) { return kernels.squared_distance(a, b); }));
}

// y *= factor
template <class Real>
void scale(std::span<Real> y, Real factor) {
  by_kernels<VectorKernels, Real>([&](auto kernels) { kernels.scale(y, factor); });
}

// y += factor · x
template <class Real>
void add_scaled(std::span<Real> y, Real factor, std::span<const Real> x) {
  by_kernels<VectorKernels, Real>([&](auto kernels) { kernels.add_scaled(y, factor, x); });
}

}  // namespace doc2s
