// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "certificate.hpp"

namespace doc2s {

// Offsets from a point that should be at no kink, as a share of delta.
inline constexpr double tiny_offset = 0x1p-24;

// point += an offset of random numbers, whose length is at most `length`. The kinks of a function that has a
// gradient almost everywhere have the probability 0.
void step_aside(std::span<double> point, double length, std::uint64_t seed, Tick draw);

// Whether ∇f, here `gradient`, jumps at x: on one side of it, at most 2⁻³² delta away, it differs, and
// half as far away by more than half as much. A test by numbers, no proof.
bool has_kink(const GradientFunction& f, std::span<const double> x, std::span<const double> gradient,
              double delta, std::uint64_t seed);

}  // namespace doc2s
