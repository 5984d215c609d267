// SPDX-License-Identifier: Apache-2.0
#include "doc2s/base/random.hpp"

#include <Random123/philox.h>

#include <cmath>

#include "normal_kernels.hpp"
#include "normal_pairs.hpp"

namespace doc2s {

// The counter: [block | tick, low 32 | tick, bits 32..39 · purpose · draw | client].
Random::Random(std::uint64_t seed, Purpose purpose, std::uint32_t client, Tick tick, std::uint16_t draw)
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
      place_{static_cast<std::uint32_t>(tick),
             static_cast<std::uint32_t>((static_cast<std::uint64_t>(tick) >> 32 & 0xff) << 24 |
                                        static_cast<std::uint32_t>(purpose) << 16 | draw),
             client} {}

Random::Block Random::block(std::uint32_t number) const {
  const auto r = r123::Philox4x32()({{number, place_[0], place_[1], place_[2]}}, {{key_[0], key_[1]}});
  return {r[0], r[1], r[2], r[3]};
}

std::uint32_t Random::bits() {
  if (used_ == 4) {
    current_ = block(next_block_++);
    used_ = 0;
  }
  return current_[used_++];
}

double Random::uniform() {
  const std::uint64_t high = bits();
  const std::uint64_t low = bits();
  return static_cast<double>((high << 32 | low) >> 11) * 0x1p-53;
}

// Lemire's multiplication on 64 bits. Low halves below 2⁶⁴ mod bound are rejected. That is less than bound,
// so the division is rarely needed.
std::uint64_t Random::below(std::uint64_t bound) {
  for (;;) {
    const std::uint64_t high = bits();
    const std::uint64_t x = high << 32 | bits();
    const auto product = static_cast<unsigned __int128>(x) * bound;
    const auto low = static_cast<std::uint64_t>(product);
    if (low >= bound || low >= (0 - bound) % bound) return static_cast<std::uint64_t>(product >> 64);
  }
}

// −log u, u on the grid 2⁻⁵³ in (0, 1]
double Random::exponential() { return -log_unit(1 - uniform()); }

double Random::normal() {
  const std::uint32_t radius = bits();
  double pair[2];
  normal_pair(radius, bits(), pair);
  return pair[0];
}

// Marsaglia and Tsang (2000), shape ≥ 1.
double Random::gamma(double shape) {
  if (shape < 1) return std::exp(log_gamma_draw(shape));
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = normal();
    const double v = std::pow(1 + c * x, 3);
    if (v > 0 && std::log(1 - uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

// Gamma(a) = Gamma(a + 1)·U^{1/a}
double Random::log_gamma_draw(double shape) {
  const double boost = std::log(1 - uniform()) / shape;
  return std::log(gamma(shape + 1)) + boost;
}

template <class Real>
void Random::normals(Index first, std::span<Real> out) const {
  by_kernels<NormalKernels, Real>([&](auto kernels) { kernels.fill(key_, place_, first, out); });
}

template void Random::normals<float>(Index, std::span<float>) const;
template void Random::normals<double>(Index, std::span<double>) const;

}  // namespace doc2s
