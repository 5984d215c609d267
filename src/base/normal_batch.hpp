#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "philox_batch.hpp"

// The numbers of normal_pairs.hpp, to the bit, many at a time: plain loops over pairs that the compiler turns
// into vector code. A step of the series is done for all pairs before the next step, since within one pair
// each step waits for the last. What is an integer there is kept here in the low bits of a double of
// [2⁵², 2⁵³), whose bits both kinds of instructions can use.
namespace doc2s {

constexpr int batch_pairs = 2 * batch_blocks;
constexpr int batch_normals = 2 * batch_pairs;

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
  // The normals of these words; out has room for batch_normals.
  void transform(const PhiloxBatch& words, double* out) {
    begin_logarithms(words);
    begin_circles(words);
    sum_series();
    finish(out);
  }

 private:
  using Numbers = std::array<double, batch_pairs>;
  static constexpr std::uint64_t two52 = 0x4330000000000000ULL;  // the bits of 2⁵²

  // (w + ½)/2³² of the low 32 bits
  static double unit(std::uint64_t w) {
    return (std::bit_cast<double>(two52 | (w & 0xffffffffULL)) - 0x1p52 + 0.5) * 0x1p-32;
  }

  // log_unit up to its series
  void begin_logarithms(const PhiloxBatch& words) {
    constexpr std::uint64_t sqrt_half = 0x3fe6a09e667f3bcdULL;
    for (int p = 0; p < batch_pairs; ++p) {
      const std::uint64_t bits = std::bit_cast<std::uint64_t>(unit(words.radius[p])) - sqrt_half;
      const std::uint64_t exponent = (bits + (64ULL << 52)) >> 52;  // + 64, so that it is positive
      exponent_[p] = std::bit_cast<double>(two52 | exponent) - (0x1p52 + 64);
      const double m = std::bit_cast<double>((bits & 0x000fffffffffffffULL) + sqrt_half);
      f_[p] = (m - 1) / (m + 1);
      f2_[p] = f_[p] * f_[p];
      log_[p] = 1.0 / 21 * f2_[p] + coefficients.log[0];
    }
  }

  // cos_sin_turns up to its series. 4t is never half-way between two integers, so adding 2⁵² rounds it as
  // cutting off 4t + ½ does.
  void begin_circles(const PhiloxBatch& words) {
    for (int p = 0; p < batch_pairs; ++p) {
      const double t = unit(words.turns[p]);
      const double quarter = 4 * t + 0x1p52;
      quarter_[p] = std::bit_cast<std::uint64_t>(quarter);
      x_[p] = (t - 0.25 * (quarter - 0x1p52)) * 6.283185307179586476925;
      x2_[p] = x_[p] * x_[p];
      sine_[p] = cosine_[p] = 1;
    }
  }

  void sum_series() {
    for (int i = 0; i < SeriesCoefficients::steps; ++i) {
      const double a = coefficients.log[i + 1], s = coefficients.sine[i], c = coefficients.cosine[i];
      for (int p = 0; p < batch_pairs; ++p) {
        log_[p] = log_[p] * f2_[p] + a;
        sine_[p] = 1 - sine_[p] * x2_[p] * s;
        cosine_[p] = 1 - cosine_[p] * x2_[p] * c;
      }
    }
  }

  // normal_pair's last lines; sine and cosine are swapped in odd quarters by their bits
  void finish(double* out) const {
    for (int half = 0; half < 2; ++half)
      for (int block = 0; block < batch_blocks; ++block) {
        const int p = half * batch_blocks + block;
        const double logarithm = exponent_[p] * 0.693147180559945309417 + 2 * f_[p] * log_[p];
        const double radius = std::sqrt(-2 * logarithm);
        const auto s = std::bit_cast<std::uint64_t>(sine_[p] * x_[p]);
        const auto c = std::bit_cast<std::uint64_t>(cosine_[p]);
        const std::uint64_t swap = (s ^ c) & (0 - (quarter_[p] & 1));
        out[4 * block + 2 * half] = radius * std::bit_cast<double>(c ^ swap ^ ((quarter_[p] + 1) & 2) << 62);
        out[4 * block + 2 * half + 1] = radius * std::bit_cast<double>(s ^ swap ^ (quarter_[p] & 2) << 62);
      }
  }

  static constexpr SeriesCoefficients coefficients{};

  alignas(64) Numbers exponent_, f_, f2_, log_;
  alignas(64) Numbers x_, x2_, sine_, cosine_;
  alignas(64) std::array<std::uint64_t, batch_pairs> quarter_;
};

}  // namespace doc2s
