// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "recursion.hpp"

namespace doc2s {

// A round on a ring.
template <class Real>
struct Ring {
  std::vector<Real>
      weights;  // a_i of the edge between i and i + 1; the last one closes the ring; empty: no ring
  Real d = 0;

  Ring() = default;
  explicit Ring(const Recursion<Real>& recursion);
  explicit operator bool() const { return !weights.empty(); }
};

}  // namespace doc2s
