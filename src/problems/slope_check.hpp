// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "doc2s/base/rows.hpp"
#include "doc2s/problems/problem.hpp"

namespace doc2s {

// Compares the gradient of some of the clients here with differences of values along random directions near
// x0. Throws Error where it is plainly wrong: not finite, all zero, of the wrong sign or size. Draws where
// the value bends are left out, so kinks do no harm. Returns a note where nothing could be compared, else "".
template <class Real>
std::string check_slopes(const Problem<Real>& problem, ClientRange here, Index batch, std::uint64_t seed,
                         std::span<const Real> x0);

}  // namespace doc2s
