// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "doc2s/base/types.hpp"

namespace doc2s {

constexpr Index sum_block = 4096;

// Σ_j term(j) over 0 ≤ j < count in one fixed order: eight double lanes over blocks of 4,096, lanes added
// from 0 to 7, blocks from first to last. The order does not depend on threads, processes or vector units.
template <class Term>
double ordered_sum(Index count, Term term) {
  constexpr Index lanes = 8;
  double sum = 0;
  for (Index first = 0; first < count; first += sum_block) {
    const Index last = std::min(first + sum_block, count);
    double lane[lanes] = {};
    Index j = first;
    for (; j + lanes <= last; j += lanes)
      for (Index k = 0; k < lanes; ++k) lane[k] += term(j + k);
    double block = 0;
    for (const double part : lane) block += part;
    for (; j < last; ++j) block += term(j);
    sum += block;
  }
  return sum;
}

}  // namespace doc2s
