// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "direction.hpp"
#include "doc2s/base/random.hpp"
#include "doc2s/base/threads.hpp"

// Directions z ∈ ℝᵈ, d = the count of its numbers. The threads, where there are any, draw a long one
// together; its bits do not depend on them.
namespace doc2s {

// z uniform on the unit sphere of ℝᵈ: normals over their norm.
template <class Real>
void unit_sphere(const Random& random, Direction<Real>& z, Threads* threads = nullptr);

// z uniform in the unit ball of ℝᵈ: the first d coordinates of a uniform point on the unit sphere of ℝᵈ⁺².
template <class Real>
void unit_ball(const Random& random, Direction<Real>& z, Threads* threads = nullptr);

bool is_long_direction(Index d);

}  // namespace doc2s
