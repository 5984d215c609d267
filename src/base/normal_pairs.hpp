// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

namespace doc2s {

// Box-Muller transform in straight-line double arithmetic. It does not call libm, whose bits differ between
// processors, and a vector unit can compute it with the same bits.

// log u for 0 < u ≤ 1: u = 2^e m with m in [√½, √2), log m = 2 atanh f, f = (m − 1)/(m + 1), |f| < 0.172.
inline double log_unit(double u) {
  constexpr std::uint64_t sqrt_half = 0x3fe6a09e667f3bcdULL;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(u) - sqrt_half;
  const auto exponent = static_cast<double>(static_cast<std::int32_t>(static_cast<std::int64_t>(bits) >> 52));
  const double m = std::bit_cast<double>((bits & 0x000fffffffffffffULL) + sqrt_half);
  const double f = (m - 1) / (m + 1);
  const double f2 = f * f;
  double series = 1.0 / 21;
  for (int k = 19; k >= 1; k -= 2) series = series * f2 + 1.0 / k;
  return exponent * 0.693147180559945309417 + 2 * f * series;
}

// (cos 2πt, sin 2πt) for 0 ≤ t < 1: Taylor series on the eighth of a turn around the nearest quarter turn.
inline void cos_sin_turns(double t, double& cosine, double& sine) {
  const auto quarter = static_cast<std::int32_t>(4 * t + 0.5);
  const double x = (t - 0.25 * quarter) * 6.283185307179586476925;
  const double x2 = x * x;
  double s = 1;
  for (int k = 18; k >= 2; k -= 2) s = 1 - s * x2 * (1.0 / (k * (k + 1)));
  s *= x;
  double c = 1;
  for (int k = 18; k >= 2; k -= 2) c = 1 - c * x2 * (1.0 / (k * (k - 1)));
  const bool swapped = quarter & 1;
  const double first = swapped ? s : c;
  const double second = swapped ? c : s;
  cosine = (quarter + 1) & 2 ? -first : first;
  sine = quarter & 2 ? -second : second;
}

// Two independent standard normals from 2 × 32 random bits: √(−2 log u)·(cos 2πt, sin 2πt).
inline void normal_pair(std::uint32_t u, std::uint32_t t, double* out) {
  const double radius = std::sqrt(-2 * log_unit((u + 0.5) * 0x1p-32));
  double cosine, sine;
  cos_sin_turns((t + 0.5) * 0x1p-32, cosine, sine);  // never on an axis, so no normal is 0
  out[0] = radius * cosine;
  out[1] = radius * sine;
}

}  // namespace doc2s
