// SPDX-License-Identifier: Apache-2.0
#include "svm_kernels.hpp"

#include <cmath>

#include "base/ordered_sum.hpp"

namespace doc2s {

template <class Set, class Real>
double SvmKernels<Set, Real>::capped_sum(std::span<const Real> x, double alpha) {
  return ordered_sum(std::ssize(x), [&x, alpha](Index j) {
    const double size = std::abs(x[j]);
    return alpha < size ? alpha : size;
  });
}

template <class Set, class Real>
double SvmKernels<Set, Real>::capped_sum(std::span<const Real> x, double alpha, Real lambda,
                                         std::span<Real> gradient) {
  const Real* __restrict const at = x.data();
  Real* __restrict const slope = gradient.data();
  const auto cap = static_cast<Real>(alpha);
  return ordered_sum(std::ssize(x), [=](Index j) {
    const Real size = std::abs(at[j]);
    slope[j] = ((size < cap) & (size > 0)) ? std::copysign(lambda, at[j]) : Real(0);
    return alpha < size ? alpha : static_cast<double>(size);
  });
}

template struct SvmKernels<DOC2S_KERNEL_SET, float>;
template struct SvmKernels<DOC2S_KERNEL_SET, double>;

}  // namespace doc2s
