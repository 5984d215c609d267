#pragma once
#include <cmath>
#include <cstdint>

#include "philox_batch.hpp"

// The numbers of normal_pairs.hpp, to the bit, many at a time. Within one pair each step of a series waits
// for the last, so the series of some vectors of pairs go side by side in registers, and what a stretch of
// work needs is in a function of its own, so that the registers suffice. What is an integer there is kept
// here in the low bits of a double of [2⁵¹, 2⁵³), whose bits both kinds of instructions can use. Factors that
// are powers of two are moved to where they cost nothing: they do not round.
namespace doc2s {

constexpr int group_normals = 4 * group_blocks;
constexpr int batch_normals = most_groups * group_normals;

// The coefficients of the series in normal_pairs.hpp in the order of their use. The first steps of sine and
// cosine are multiplied out, which takes one multiplication a step less. It rounds otherwise, but so far
// below the sum's last bit that the sum is the same for all of the 2²⁹ x² that there are: a test tries them.
struct SeriesCoefficients {
  static constexpr int steps = 9, multiplied_out = 4;
  double log[steps + 2];              // Σ_k f²ᵏ/(2k + 1), from k = 10 on
  double sine[steps], cosine[steps];  // c of 1 − s x² c
  double first_sine[multiplied_out + 1], first_cosine[multiplied_out + 1];  // a polynomial of x²

  constexpr SeriesCoefficients() : log(), sine(), cosine(), first_sine(), first_cosine() {
    for (int i = 0; i <= steps + 1; ++i) log[i] = 1.0 / (21 - 2 * i);
    for (int i = 0; i < steps; ++i) {
      const int k = 18 - 2 * i;
      sine[i] = 1.0 / (k * (k + 1));
      cosine[i] = 1.0 / (k * (k - 1));
    }
    long double s = 1, c = 1;
    for (int i = multiplied_out; i >= 0; --i) {
      first_sine[i] = static_cast<double>(s);
      first_cosine[i] = static_cast<double>(c);
      const int k = 20 - 2 * i;
      s /= -k * (k + 1);
      c /= -k * (k - 1);
    }
  }
};

class NormalBatch {
 public:
  // The normals of these words; out has room for all of the groups.
  void transform(const PhiloxBatch& words, int groups, double* out) {
    const int vectors = groups * group_vectors;
    begin(words, vectors);
    for (int v = 0; v < vectors;) v += vectors - v >= 8 ? sum_logarithms<8>(v) : sum_logarithms<4>(v);
    for (int v = 0; v < vectors; v += group_vectors) sum_circles(v);
    for (int v = 0; v < vectors; v += 2) finish(words, v, out + 2 * lanes * v);
  }

 private:
  using Numbers = NumberLanes[most_groups * group_vectors];
  static constexpr std::uint64_t two51 = 0x4320000000000000ULL, two52 = 0x4330000000000000ULL;  // their bits

  [[gnu::noinline]] void begin(const PhiloxBatch& words, int vectors) {
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) {
      begin_logarithm(words.radius[v], v);
      begin_circle(words.turns[v], v);
    }
  }

  // log_unit up to its series; u is 2³² times that one's
  void begin_logarithm(const WordLanes& word, int v) {
    constexpr std::uint64_t sqrt_half = 0x3fe6a09e667f3bcdULL, exponent_one = 1ULL << 52;
    const NumberLanes u = reinterpret_cast<NumberLanes>((word & 0xffffffffULL) | two52) - (0x1p52 - 0.5);
    // the exponent is 32 too large for that reason, and 32 more, so that it is positive
    const WordLanes bits = reinterpret_cast<WordLanes>(u) - (sqrt_half - 32 * exponent_one);
    exponent_[v] = reinterpret_cast<NumberLanes>((bits >> 52) | two52) - (0x1p52 + 64);
    const NumberLanes m = reinterpret_cast<NumberLanes>((bits & (exponent_one - 1)) + sqrt_half);
    const NumberLanes f = (m - 1) / (m + 1);
    f_[v] = f;
    f2_[v] = f * f;
  }

  // Of w + ½ = 2³² t, the bits of 2(w + 2²⁹) + 1 from the 31st on are the quarter that is nearest, and those
  // below say where in it t is.
  static constexpr std::uint64_t to_quarter = (1ULL << 30) + 1;

  // cos_sin_turns up to its series
  void begin_circle(const WordLanes& word, int v) {
    const WordLanes quarter = 2 * word + to_quarter;
    const NumberLanes within =
        reinterpret_cast<NumberLanes>((quarter & 0x7fffffffULL) | two51) - (0x1p51 + 0x1p29);
    const NumberLanes x = within * (0x1p-32 * 6.283185307179586476925);
    x_[v] = x;
    x2_[v] = x * x;
  }

  // −½ log u, log u = e log 2 + 2 f series, of so many vectors
  template <int count>
  [[gnu::noinline]] int sum_logarithms(int first) {
    const NumberLanes* const f2 = f2_ + first;
    NumberLanes sum[count];
    all<count>([&](int v) { sum[v] = coefficients.log[0] - NumberLanes{}; });
#pragma GCC unroll 1
    for (int i = 1; i <= SeriesCoefficients::steps + 1; ++i)
      all<count>([&](int v) { sum[v] = sum[v] * f2[v] + coefficients.log[i]; });
    all<count>([&](int v) {
      half_radius_[first + v] =
          exponent_[first + v] * (-0.5 * 0.693147180559945309417) - f_[first + v] * sum[v];
    });
    return count;
  }

  // The series of sine and cosine, and on the way, since other parts of the processor do that, the roots.
  [[gnu::noinline]] void sum_circles(int first) {
    constexpr int last = SeriesCoefficients::steps - 1;
    const SeriesCoefficients& c = coefficients;
    const NumberLanes* const x2 = x2_ + first;
    NumberLanes sine[group_vectors], cosine[group_vectors];
    all<group_vectors>([&](int v) { sine[v] = c.first_sine[0] - NumberLanes{}; });
    all<group_vectors>([&](int v) { cosine[v] = c.first_cosine[0] - NumberLanes{}; });
#pragma GCC unroll 1
    for (int i = 1; i <= c.multiplied_out; ++i) {
      all<group_vectors>([&](int v) { sine[v] = sine[v] * x2[v] + c.first_sine[i]; });
      all<group_vectors>([&](int v) { cosine[v] = cosine[v] * x2[v] + c.first_cosine[i]; });
    }
    static_assert(last - SeriesCoefficients::multiplied_out == group_vectors);  // a root in each step
#pragma GCC unroll 1
    for (int i = c.multiplied_out; i < last; ++i) {
      take_root(half_radius_[first + i - c.multiplied_out]);
      all<group_vectors>([&](int v) { sine[v] = 1 - sine[v] * x2[v] * c.sine[i]; });
      all<group_vectors>([&](int v) { cosine[v] = 1 - cosine[v] * x2[v] * c.cosine[i]; });
    }
    all<group_vectors>([&](int v) { twice_sine_[first + v] = 2 - sine[v] * x2[v] * (2 * c.sine[last]); });
    all<group_vectors>(
        [&](int v) { twice_cosine_[first + v] = 2 - cosine[v] * x2[v] * (2 * c.cosine[last]); });
  }

  template <int count, class Step>
  static void all(Step step) {
#pragma GCC unroll 8
    for (int v = 0; v < count; ++v) step(v);
  }

  static void take_root(NumberLanes& square) {
    for (int k = 0; k < lanes; ++k) square[k] = std::sqrt(square[k]);
  }

  // The normals of as many blocks as there are lanes: first halves are at v, second ones at v + 1.
  void finish(const PhiloxBatch& words, int v, double* out) const {
    NumberLanes a, b, c, d;
    place(words.turns[v], v, a, b);
    place(words.turns[v + 1], v + 1, c, d);
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

  // normal_pair's last lines. The quarter's two bits become signs: its lower one of `odd`, by which sine and
  // cosine are swapped, its upper one of `half`.
  void place(const WordLanes& word, int v, NumberLanes& along, NumberLanes& across) const {
    constexpr std::uint64_t sign = 1ULL << 63;
    const WordLanes half = (word << 32) + (to_quarter << 31), odd = half + half;
    const NumberLanes s = twice_sine_[v] * x_[v], c = twice_cosine_[v];
    const auto swapped = reinterpret_cast<SignedLanes>(odd) < 0;
    const auto first = reinterpret_cast<WordLanes>(swapped ? s : c),
               second = reinterpret_cast<WordLanes>(swapped ? c : s);
    along = half_radius_[v] * reinterpret_cast<NumberLanes>(first ^ ((half ^ odd) & sign));
    across = half_radius_[v] * reinterpret_cast<NumberLanes>(second ^ (half & sign));
  }

  static constexpr SeriesCoefficients coefficients{};

  Numbers exponent_, f_, f2_, half_radius_;
  Numbers x_, x2_, twice_sine_, twice_cosine_;
};

}  // namespace doc2s
