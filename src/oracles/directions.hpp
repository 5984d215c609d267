#pragma once
#include <span>

#include "doc2s/base/random.hpp"

namespace doc2s {

// z uniform on the unit sphere of ℝᵈ: normals over their norm.
template <class Real>
void unit_sphere(const Random& random, std::span<Real> z);

// z uniform in the unit ball of ℝᵈ: the first d coordinates of a uniform point on the unit sphere of ℝᵈ⁺².
template <class Real>
void unit_ball(const Random& random, std::span<Real> z);

}  // namespace doc2s
