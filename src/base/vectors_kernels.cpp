// SPDX-License-Identifier: Apache-2.0
#include "ordered_sum.hpp"
#include "vectors.hpp"

namespace doc2s {

template <class Set, class Real>
double VectorKernels<Set, Real>::dot(std::span<const Real> a, std::span<const Real> b) {
  return ordered_sum(std::ssize(a), [&](Index j) { return static_cast<double>(a[j]) * b[j]; });
}

template <class Set, class Real>
double VectorKernels<Set, Real>::squared_distance(std::span<const Real> a, std::span<const Real> b) {
  return ordered_sum(std::ssize(a), [&](Index j) {
    const double difference = static_cast<double>(a[j]) - b[j];
    return difference * difference;
  });
}

template <class Set, class Real>
void VectorKernels<Set, Real>::scale(std::span<Real> y, Real factor) {
  for (Real& number : y) number *= factor;
}

template <class Set, class Real>
void VectorKernels<Set, Real>::add_scaled(std::span<Real> y, Real factor, std::span<const Real> x) {
  for (std::size_t j = 0; j < y.size(); ++j) y[j] += factor * x[j];
}

template struct VectorKernels<DOC2S_KERNEL_SET, float>;
template struct VectorKernels<DOC2S_KERNEL_SET, double>;

}  // namespace doc2s
