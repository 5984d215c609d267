// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#ifdef __SSE2__
#include <immintrin.h>
#endif

// Vectors of numbers, as wide as one vector instruction. Operators work lane by lane and broadcast scalars. A
// reinterpret_cast between the types keeps the bits.
namespace doc2s {

namespace {  // an instruction set's own: see kernels.hpp

#ifdef __AVX2__
constexpr int lanes = 4;
#else
constexpr int lanes = 2;
#endif

using NumberLanes [[gnu::vector_size(8 * lanes)]] = double;
using SignedLanes [[gnu::vector_size(8 * lanes)]] = std::int64_t;
using WordLanes [[gnu::vector_size(8 * lanes)]] = std::uint64_t;
using HalfLanes [[gnu::vector_size(8 * lanes)]] = std::uint32_t;  // two per lane
using NumbersAnywhere [[gnu::vector_size(8 * lanes), gnu::aligned(8), gnu::may_alias]] =
    double;  // for unaligned access

#ifdef __AVX2__
constexpr WordLanes lane_numbers = {0, 1, 2, 3};
#else
constexpr WordLanes lane_numbers = {0, 1};
#endif

// 32 × 32 → 64 bits, of the low halves.
inline WordLanes half_product(const WordLanes& a, std::uint32_t b) {
#ifdef __AVX2__
  return reinterpret_cast<WordLanes>(_mm256_mul_epu32(reinterpret_cast<__m256i>(a), _mm256_set1_epi64x(b)));
#elif defined(__SSE2__)
  return reinterpret_cast<WordLanes>(_mm_mul_epu32(reinterpret_cast<__m128i>(a), _mm_set1_epi64x(b)));
#else
  return (a & 0xffffffffULL) * std::uint64_t{b};
#endif
}

// Low halves of `low`, upper halves of `upper`, whose low half must be 0.
inline WordLanes below_upper_half(const WordLanes& low, std::uint64_t upper) {
#ifdef __AVX2__
  const __m256i all = _mm256_set1_epi64x(static_cast<std::int64_t>(upper));
  return reinterpret_cast<WordLanes>(_mm256_blend_epi32(reinterpret_cast<__m256i>(low), all, 0b10101010));
#else
  return (low & 0xffffffffULL) | upper;
#endif
}

// a where the sign bit of `by` is set, else b.
inline NumberLanes by_sign(const WordLanes& by, const NumberLanes& a, const NumberLanes& b) {
#ifdef __AVX2__
  return reinterpret_cast<NumberLanes>(_mm256_blendv_pd(
      reinterpret_cast<__m256d>(b), reinterpret_cast<__m256d>(a), reinterpret_cast<__m256d>(by)));
#elif defined(__SSE2__)
  const __m128i halves = _mm_srai_epi32(reinterpret_cast<__m128i>(by), 31);
  const auto mask =
      reinterpret_cast<WordLanes>(_mm_shuffle_epi32(halves, 0b11110101));  // the upper ones twice
  return reinterpret_cast<NumberLanes>((reinterpret_cast<WordLanes>(a) & mask) |
                                       (reinterpret_cast<WordLanes>(b) & ~mask));
#else
  return reinterpret_cast<SignedLanes>(by) < 0 ? a : b;
#endif
}

// a b + c with one rounding if the processor has FMA, else two.
#if defined(__AVX2__) && defined(__FMA__)
constexpr bool rounds_once = true;
inline NumberLanes product_sum(const NumberLanes& a, const NumberLanes& b, const NumberLanes& c) {
  return reinterpret_cast<NumberLanes>(_mm256_fmadd_pd(
      reinterpret_cast<__m256d>(a), reinterpret_cast<__m256d>(b), reinterpret_cast<__m256d>(c)));
}
#else
constexpr bool rounds_once = false;
inline NumberLanes product_sum(const NumberLanes& a, const NumberLanes& b, const NumberLanes& c) {
  return a * b + c;
}
#endif

}  // namespace

}  // namespace doc2s
