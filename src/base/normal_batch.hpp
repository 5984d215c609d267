// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <cstdint>

#include "philox_batch.hpp"
#include "series_coefficients.hpp"

// Computes the numbers of normal_pairs.hpp in batches, with identical bits. Within a pair each step of a
// series depends on the previous one, so the series of several vectors are interleaved in registers. Each
// stage is a separate function, so that the registers suffice. Integers are kept in the bits of doubles,
// which both integer and floating-point instructions can use. Factors that are powers of two are moved to
// where they are free; they do not round.
namespace doc2s {

namespace {  // an instruction set's own: see kernels.hpp

constexpr int group_normals = 4 * group_blocks;
constexpr int batch_normals = most_groups * group_normals;

class NormalBatch {
 public:
  // `out` must hold all normals of the groups.
  void transform(const PhiloxBatch& words, int groups, double* out) {
    const int vectors = groups * group_vectors;
    begin(words, vectors);
    for (int v = 0; v < vectors;) v += vectors - v >= 8 ? sum_logarithms<8>(v) : sum_logarithms<4>(v);
    for (int v = 0; v < vectors; v += group_vectors) sum_circles(v);
    for (int v = 0; v < vectors; v += 2) finish(words, v, out + 2 * lanes * v);
  }

 private:
  using Numbers = NumberLanes[most_groups * group_vectors];
  static constexpr std::uint64_t exponent_one = 1ULL << 52,
                                 two52 = (1023 + 52) * exponent_one;  // two52: the bits of 2⁵²

  [[gnu::noinline]] void begin(const PhiloxBatch& words, int vectors) {
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) {
      begin_logarithm(words.radius[v], v);
      begin_circle(words.turns[v], v);
    }
  }

  // log_unit up to its series; u is scaled by 2⁹⁶⁰. So 960 + e is at the top of `exponent`, and shifted down
  // by 6 bits it is the double 2⁻¹⁰⁰⁸ + 2⁻¹⁰¹⁵ e: no conversion is needed.
  void begin_logarithm(const WordLanes& word, int v) {
    constexpr std::uint64_t sqrt_half = 0x3fe6a09e667f3bcdULL;
    const WordLanes w = below_upper_half(word, two52 + (960 - 32) * exponent_one);
    const auto u = reinterpret_cast<WordLanes>(reinterpret_cast<NumberLanes>(w) - (0x1p980 - 0x1p927));
    const WordLanes exponent = (u - sqrt_half) & ~(exponent_one - 1);
    exponent_part_[v] = exponent_part(reinterpret_cast<NumberLanes>(exponent >> 6));
    const auto m = reinterpret_cast<NumberLanes>(u - exponent);
    const NumberLanes f = (m - 1) / (m + 1);
    f_[v] = f;
    f2_[v] = f * f;
  }

  // −½ e log 2
  static NumberLanes exponent_part(const NumberLanes& exponent) {
    constexpr double at_0 = 0x1p-1008, factor = 0x1p1015 * -0.5 * 0.693147180559945309417;
    if constexpr (rounds_once)
      return product_sum(exponent, NumberLanes{} + factor, NumberLanes{} - at_0 * factor);
    return (exponent - at_0) * factor;
  }

  // With 2³² t = w + ½, bits 30 and up of w + 2²⁹ are the nearest quarter, and the bits below are the
  // position of t in it.
  static constexpr std::uint64_t to_quarter = 1ULL << 29;

  // cos_sin_turns up to its series.
  void begin_circle(const WordLanes& word, int v) {
    const WordLanes within = below_upper_half((word + to_quarter) << 2, two52);
    const NumberLanes x =
        (reinterpret_cast<NumberLanes>(within) - (0x1p52 + 0x1p31 - 2)) * (0x1p-34 * 6.283185307179586476925);
    x_[v] = x;
    x2_[v] = x * x;
  }

  // −½ log u, log u = e log 2 + 2 f series, for `count` vectors.
  template <int count>
  [[gnu::noinline]] int sum_logarithms(int first) {
    const SeriesCoefficients& c = coefficients;
    const NumberLanes* const f2 = f2_ + first;
    NumberLanes sum[count];
    all<count>([&](int v) { sum[v] = lanes_of(c.log[0]); });
#pragma GCC unroll 1
    for (int i = 1; i <= c.fused_log_steps; ++i)
      all<count>([&](int v) { sum[v] = product_sum(sum[v], f2[v], lanes_of(c.log[i])); });
#pragma GCC unroll 1
    for (int i = c.fused_log_steps + 1; i <= c.log_steps; ++i)
      all<count>([&](int v) { sum[v] = sum[v] * f2[v] + c.log[i]; });
    all<count>([&](int v) { half_radius_[first + v] = exponent_part_[first + v] - f_[first + v] * sum[v]; });
    return count;
  }

  // The series of sine and cosine, interleaved with the square roots, which use other execution units.
  [[gnu::noinline]] void sum_circles(int first) {
    constexpr int last = SeriesCoefficients::steps - 1;
    const SeriesCoefficients& c = coefficients;
    const NumberLanes* const x2 = x2_ + first;
    NumberLanes sine[group_vectors], cosine[group_vectors];
    static_assert(c.first_sine_steps == c.first_cosine_steps + 1);  // the sine is one step ahead
    all([&](int v) { sine[v] = product_sum(lanes_of(c.first_sine[0]), x2[v], lanes_of(c.first_sine[1])); });
    all([&](int v) { cosine[v] = lanes_of(c.first_cosine[0]); });
#pragma GCC unroll 1
    for (int i = 1; i <= c.first_cosine_steps; ++i) {
      all([&](int v) { sine[v] = product_sum(sine[v], x2[v], lanes_of(c.first_sine[i + 1])); });
      all([&](int v) { cosine[v] = product_sum(cosine[v], x2[v], lanes_of(c.first_cosine[i])); });
    }
    all([&](int v) { cosine[v] = 1 - cosine[v] * x2[v] * c.cosine[c.first_cosine_steps]; });
    take_root(half_radius_[first]);
    static_assert(last - c.first_cosine_steps == group_vectors);  // one root per step
#pragma GCC unroll 1
    for (int i = c.first_sine_steps; i < last; ++i) {
      take_root(half_radius_[first + i - c.first_cosine_steps]);
      all([&](int v) { sine[v] = 1 - sine[v] * x2[v] * c.sine[i]; });
      all([&](int v) { cosine[v] = 1 - cosine[v] * x2[v] * c.cosine[i]; });
    }
    all([&](int v) { twice_sine_[first + v] = 2 - sine[v] * x2[v] * (2 * c.sine[last]); });
    all([&](int v) { twice_cosine_[first + v] = 2 - cosine[v] * x2[v] * (2 * c.cosine[last]); });
  }

  template <int count = group_vectors, class Step>
  static void all(Step step) {
#pragma GCC unroll 8
    for (int v = 0; v < count; ++v) step(v);
  }

  static NumberLanes lanes_of(double number) { return number - NumberLanes{}; }

  static void take_root(NumberLanes& square) {
    for (int k = 0; k < lanes; ++k) square[k] = std::sqrt(square[k]);
  }

  // The normals of `lanes` blocks: first halves are at v, second halves at v + 1.
  void finish(const PhiloxBatch& words, int v, double* out) const {
    NumberLanes a, b, c, d;
    place(words.turns[v], v, a, b);
    place(words.turns[v + 1], v + 1, c, d);
    NumbersAnywhere* const to =
        reinterpret_cast<NumbersAnywhere*>(out);  // auto would drop the alignment attribute
#ifdef __AVX2__
    const NumberLanes ab02 = __builtin_shufflevector(a, b, 0, 4, 2, 6),
                      cd02 = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    const NumberLanes ab13 = __builtin_shufflevector(a, b, 1, 5, 3, 7),
                      cd13 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    to[0] = __builtin_shufflevector(ab02, cd02, 0, 1, 4, 5);
    to[1] = __builtin_shufflevector(ab13, cd13, 0, 1, 4, 5);
    to[2] = __builtin_shufflevector(ab02, cd02, 2, 3, 6, 7);
    to[3] = __builtin_shufflevector(ab13, cd13, 2, 3, 6, 7);
#else
    to[0] = __builtin_shufflevector(a, b, 0, 2);
    to[1] = __builtin_shufflevector(c, d, 0, 2);
    to[2] = __builtin_shufflevector(a, b, 1, 3);
    to[3] = __builtin_shufflevector(c, d, 1, 3);
#endif
  }

  // The last lines of normal_pair. The two bits of the quarter become signs. The lower bit, in `odd`, swaps
  // sine and cosine and flips the sine's sign; the upper bit, in `half`, flips both signs.
  void place(const WordLanes& word, int v, NumberLanes& along, NumberLanes& across) const {
    constexpr std::uint64_t sign = 1ULL << 63;
    const WordLanes quarter = word + to_quarter, half = (quarter << 32) & sign, odd = quarter << 33,
                    odd_sign = odd & sign;
    const NumberLanes s = with_sign(twice_sine_[v] * x_[v], odd_sign), c = twice_cosine_[v];
    const NumberLanes radius = with_sign(half_radius_[v], half);
    along = radius * by_sign(odd, s, c);
    across = radius * by_sign(odd_sign, c, s);  // not `odd`: g++ 12 would compare first
  }

  static NumberLanes with_sign(const NumberLanes& number, const WordLanes& sign) {
    return reinterpret_cast<NumberLanes>(reinterpret_cast<WordLanes>(number) ^ sign);
  }

  static constexpr SeriesCoefficients coefficients{};

  Numbers exponent_part_, f_, f2_, half_radius_;
  Numbers x_, x2_, twice_sine_, twice_cosine_;
};

}  // namespace

}  // namespace doc2s
