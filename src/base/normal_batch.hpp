#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

#include "philox_batch.hpp"

// The numbers of normal_pairs.hpp, to the bit, many at a time. Within one pair each step of a series waits
// for the last, so the series of a group of pairs go side by side in registers. What is an integer there is
// kept here in the low bits of a double of [2⁵¹, 2⁵³), whose bits both kinds of instructions can use. Factors
// that are powers of two are moved to where they cost nothing: they do not round.
namespace doc2s {

constexpr int group_normals = 4 * group_blocks;
constexpr int batch_normals = most_groups * group_normals;

// The coefficients of the series in normal_pairs.hpp in the order of their use.
struct SeriesCoefficients {
  static constexpr int steps = 9;
  double log[steps + 1], sine[steps], cosine[steps];

  constexpr SeriesCoefficients() : log(), sine(), cosine() {
    for (int i = 0; i <= steps; ++i) log[i] = 1.0 / (19 - 2 * i);
    for (int i = 0; i < steps; ++i) {
      const int k = 18 - 2 * i;
      sine[i] = 1.0 / (k * (k + 1));
      cosine[i] = 1.0 / (k * (k - 1));
    }
  }
};

class NormalBatch {
 public:
  // The normals of these words; out has room for all of the groups.
  void transform(const PhiloxBatch& words, int groups, double* out) {
    const int vectors = groups * group_vectors;
    begin_logarithms(words, vectors);
    begin_circles(words, vectors);
    for (int v = 0; v < vectors; v += group_vectors) sum_series(v);
    for (int v = 0; v < vectors; v += 2) finish(v, out + 2 * lanes * v);
  }

 private:
  using Numbers = NumberLanes[most_groups * group_vectors];
  static constexpr std::uint64_t two51 = 0x4320000000000000ULL, two52 = 0x4330000000000000ULL;  // their bits

  // log_unit up to its series; u is 2³² times that one's
  void begin_logarithms(const PhiloxBatch& words, int vectors) {
    constexpr std::uint64_t sqrt_half = 0x3fe6a09e667f3bcdULL, exponent_one = 1ULL << 52;
    for (int v = 0; v < vectors; ++v) {
      const NumberLanes u =
          reinterpret_cast<NumberLanes>((words.radius[v] & 0xffffffffULL) | two52) - (0x1p52 - 0.5);
      const WordLanes bits = reinterpret_cast<WordLanes>(u) - (sqrt_half + 32 * exponent_one);
      const WordLanes exponent = (bits + 64 * exponent_one) >> 52;  // + 64, so that it is positive
      exponent_[v] = reinterpret_cast<NumberLanes>(exponent | two52) - (0x1p52 + 64);
      const NumberLanes m = reinterpret_cast<NumberLanes>((bits & (exponent_one - 1)) + sqrt_half);
      f_[v] = (m - 1) / (m + 1);
      f2_[v] = f_[v] * f_[v];
    }
  }

  // cos_sin_turns up to its series. With w + ½ = 2³² t, the bits of 2(w + 2²⁹) + 1 from the 31st on are the
  // quarter that is nearest, and those below say where in it t is.
  void begin_circles(const PhiloxBatch& words, int vectors) {
    for (int v = 0; v < vectors; ++v) {
      quarter_[v] = 2 * words.turns[v] + ((1ULL << 30) + 1);
      const NumberLanes within =
          reinterpret_cast<NumberLanes>((quarter_[v] & 0x7fffffffULL) | two51) - (0x1p51 + 0x1p29);
      x_[v] = within * (0x1p-32 * 6.283185307179586476925);
      x2_[v] = x_[v] * x_[v];
    }
  }

  // One series after the other in a step and a function of its own, so that the registers suffice.
  [[gnu::noinline]] void sum_series(int first) {
    const NumberLanes *const f2 = f2_ + first, *const x2 = x2_ + first;
    NumberLanes logarithm[group_vectors], sine[group_vectors], cosine[group_vectors];
#pragma GCC unroll 4
    for (int v = 0; v < group_vectors; ++v) {
      logarithm[v] = (1.0 / 21 * f2[v] + coefficients.log[0]) * f2[v] + coefficients.log[1];
      sine[v] = 1 - x2[v] * coefficients.sine[0];
      cosine[v] = 1 - x2[v] * coefficients.cosine[0];
    }
#pragma GCC unroll 1
    for (int i = 1; i < SeriesCoefficients::steps; ++i) {
#pragma GCC unroll 4
      for (int v = 0; v < group_vectors; ++v) logarithm[v] = logarithm[v] * f2[v] + coefficients.log[i + 1];
#pragma GCC unroll 4
      for (int v = 0; v < group_vectors; ++v) sine[v] = 1 - sine[v] * x2[v] * coefficients.sine[i];
#pragma GCC unroll 4
      for (int v = 0; v < group_vectors; ++v) cosine[v] = 1 - cosine[v] * x2[v] * coefficients.cosine[i];
    }
#pragma GCC unroll 4
    for (int v = 0; v < group_vectors; ++v) {
      logarithm_[first + v] = logarithm[v];
      sine_[first + v] = sine[v];
      cosine_[first + v] = cosine[v];
    }
  }

  // The normals of as many blocks as there are lanes: first halves are at v, second ones at v + 1.
  void finish(int v, double* out) const {
    NumberLanes a, b, c, d;
    place(v, a, b);
    place(v + 1, c, d);
    NumbersAnywhere* const to = reinterpret_cast<NumbersAnywhere*>(out);  // auto would forget the alignment
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

  // normal_pair's last lines; sine and cosine are swapped in odd quarters by their bits
  void place(int v, NumberLanes& along, NumberLanes& across) const {
    constexpr std::uint64_t sign = 1ULL << 63;
    NumberLanes radius;
    take_root(v, radius);
    const auto s = reinterpret_cast<WordLanes>(sine_[v] * x_[v]), c = reinterpret_cast<WordLanes>(cosine_[v]);
    const WordLanes quarter = quarter_[v], swap = (s ^ c) & (0 - ((quarter >> 31) & 1));
    along = radius * reinterpret_cast<NumberLanes>(c ^ swap ^ (((quarter + (1ULL << 31)) << 31) & sign));
    across = radius * reinterpret_cast<NumberLanes>(s ^ swap ^ ((quarter << 31) & sign));
  }

  // √(−2 log u), log u = e log 2 + 2 f series
  void take_root(int v, NumberLanes& radius) const {
    radius = exponent_[v] * (-2 * 0.693147180559945309417) + -4 * f_[v] * logarithm_[v];
    for (int k = 0; k < lanes; ++k) radius[k] = std::sqrt(radius[k]);
  }

  static constexpr SeriesCoefficients coefficients{};

  Numbers exponent_, f_, f2_, logarithm_;
  Numbers x_, x2_, sine_, cosine_;
  WordLanes quarter_[most_groups * group_vectors];
};

}  // namespace doc2s
