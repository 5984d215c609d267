// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "base/kernels.hpp"
#include "doc2s/base/rows.hpp"
#include "ring.hpp"
#include "strided_rows.hpp"

namespace doc2s {

// `width` and `next_width`: columns, whole cache lines.
template <class Set, class Real>
struct GossipKernels {
  // All R rounds on a ring, the last of `different` being that of all further ones. `before` is scratch for a
  // row each where R > 2. The next columns are fetched.
  static void mix_ring(std::span<const Ring<Real>> different, int R, StridedRows<Real> z,
                       StridedRows<Real> before, Index width, Index next_width);

  // The same on any graph, with two scratch buffers.
  static void mix_rows(const RoundList<Real>& rounds, StridedRows<Real> z,
                       const std::array<StridedRows<Real>, 2>& scratch, Index width, Index next_width);

  // One round of the clients `who` on columns from `first` on, target ← (z, before); target may be before.
  static void mix_round(const Recursion<Real>& recursion, ClientRange who, Real* const* z,
                        Real* const* before, Real* const* target, Index first, Index width);
};

}  // namespace doc2s
