// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/base/cache_lines.hpp"
#include "recursion.hpp"

namespace doc2s {

namespace {  // an instruction set's own: see base/kernels.hpp

// As wide as the processor's vectors; the bits are the same with all of them.
#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif
template <class Real>
using Vector [[gnu::vector_size(vector_bytes), gnu::aligned(sizeof(Real)), gnu::may_alias]] = Real;

// Vector v of the numbers that begin at `row`.
template <class Real>
Vector<Real>& vector_at(Real* row, int v) {
  return reinterpret_cast<Vector<Real>*>(row)[v];
}

// work(0), …, work(count − 1), unrolled: what they compute stays in registers.
template <int count, class Work>
[[gnu::always_inline]] inline void unrolled(const Work& work) {
#pragma GCC unroll 8
  for (int v = 0; v < count; ++v) work(v);
}

// Row i of a round, `width` columns from `column` on, whole cache lines:
//   target_i = z_i + d (z_i − b_i) + Σ_{j≠i} c p_ij (z_j − z_i),  j ascending.
// With c = 1 + φ, d = φ this is (1 + φ) Σ_j p_ij z_j − φ b_i by differences: equal rows stay equal to the
// bit, and what i gets from j is what j loses to i, so that the mean does not drift with the rounding of the
// weights (in float32 it would, by about 1e−8 a round). `target` may be `before`.
template <class Real, class Rows>
[[gnu::always_inline]] inline void mix_row(const Recursion<Real>& recursion, Rows z, int i, Rows before,
                                           Rows target, Index column, Index width) {
  const auto mix_lines = [&, terms = recursion.neighbours(i), d = recursion.d]<int lines>(Index c) {
    constexpr int vectors = lines * static_cast<int>(line_bytes) / vector_bytes;
    Vector<Real> own[vectors], sum[vectors];
    unrolled<vectors>([&](int v) {
      own[v] = vector_at(z[i] + c, v);
      sum[v] = own[v] + d * (own[v] - vector_at(before[i] + c, v));
    });
    for (const GossipTerm<Real>& term : terms)
      unrolled<vectors>([&](int v) { sum[v] += term.weight * (vector_at(z[term.client] + c, v) - own[v]); });
    unrolled<vectors>([&](int v) { vector_at(target[i] + c, v) = sum[v]; });
  };
  constexpr Index line = line_numbers<Real>;
  const Index end = column + width;
  for (; column + 2 * line <= end; column += 2 * line) mix_lines.template operator()<2>(column);
  if (column < end) mix_lines.template operator()<1>(column);
}

}  // namespace

}  // namespace doc2s
