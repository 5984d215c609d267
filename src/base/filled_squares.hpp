// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ordered_sum.hpp"

namespace doc2s {

// v_j ← number(v, j) for all j, where number may read only v_j; returns ‖v‖².
template <class Real, class Number>
double filled_squares(Real* __restrict v, Index d, const Number& number) {
  return ordered_sum(d, [=](Index j) {
    const Real filled = number(v, j);
    v[j] = filled;
    return static_cast<double>(filled) * filled;
  });
}

}  // namespace doc2s
