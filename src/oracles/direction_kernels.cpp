// SPDX-License-Identifier: Apache-2.0
#include "direction_kernels.hpp"

#include <bit>
#include <cstdint>
#include <type_traits>

namespace doc2s {

template <class Set, class Real>
void DirectionKernels<Set, Real>::point(Numbers w, Real step, Numbers numbers, Real factor,
                                        std::span<Real> to) {
  const Real *const z = numbers.data(), *const from = w.data();
  Real* const point = to.data();
  const Index d = std::ssize(w);
#pragma GCC ivdep  // no two of them overlap
  for (Index j = 0; j < d; ++j) point[j] = from[j] + step * (factor * z[j]);
}

template <class Set, class Real>
void DirectionKernels<Set, Real>::times(Real a, Numbers numbers, Real factor, std::span<Real> to) {
  for (std::size_t j = 0; j < to.size(); ++j) to[j] = a * (factor * numbers[j]);
}

template <class Set, class Real>
void DirectionKernels<Set, Real>::add_times(Real a, Numbers numbers, Real factor, std::span<Real> to) {
  for (std::size_t j = 0; j < to.size(); ++j) to[j] += a * (factor * numbers[j]);
}

// By their bits, which is fastest. The last numbers of many are checked twice rather than one by one.
template <class Set, class Real>
bool DirectionKernels<Set, Real>::all_within(Real limit, Numbers numbers) {
  using Bits = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
  constexpr Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);
  constexpr Index lanes = 16;
  const Bits room = sign - 1 - std::bit_cast<Bits>(limit);
  const auto judge = [&](Index j) { return (std::bit_cast<Bits>(numbers[j]) & ~sign) + room; };

  const Index count = std::ssize(numbers);
  Bits all = 0;
  if (count < lanes) {
    for (Index j = 0; j < count; ++j) all |= judge(j);
  } else {
    Bits lane[lanes];
    for (Index k = 0; k < lanes; ++k) lane[k] = judge(count - lanes + k);
    for (Index j = 0; j + lanes <= count; j += lanes)
      for (Index k = 0; k < lanes; ++k) lane[k] |= judge(j + k);
    for (const Bits bits : lane) all |= bits;
  }
  return (all & sign) == 0;
}

template struct DirectionKernels<DOC2S_KERNEL_SET, float>;
template struct DirectionKernels<DOC2S_KERNEL_SET, double>;

}  // namespace doc2s
