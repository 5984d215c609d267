// SPDX-License-Identifier: Apache-2.0
#include "gossip_kernels.hpp"

#include <algorithm>
#include <utility>

#include "ring_kernel.hpp"
#include "row_kernel.hpp"

namespace doc2s {

// A round alone comes first where R is odd, and then pairs.
template <class Set, class Real>
void GossipKernels<Set, Real>::mix_ring(std::span<const Ring<Real>> different, int R, StridedRows<Real> z,
                                        StridedRows<Real> before, Index width, Index next_width) {
  const auto round = [&](int r) -> const Ring<Real>& {
    return different[std::min<std::size_t>(r, different.size() - 1)];
  };
  const auto all_lines = [&]<int rounds, bool first, bool last>(int r) {
    for (Index c = 0; c < width; c += line_numbers<Real>)
      mix_ring_line<rounds, first, last>(round(r), round(r + 1), z.from(c), before.from(c),
                                         first && c < next_width ? width : 0);
  };
  int r = R % 2 == 1 ? 1 : 2;
  if (R == 1) return all_lines.template operator()<1, true, true>(0);
  if (R == 2) return all_lines.template operator()<2, true, true>(0);
  r == 1 ? all_lines.template operator()<1, true, false>(0)
         : all_lines.template operator()<2, true, false>(0);
  for (; r + 2 < R; r += 2) all_lines.template operator()<2, false, false>(r);
  all_lines.template operator()<2, false, true>(r);
}

// The first round reads z, the last one writes it, and those between alternate between two scratch buffers:
// z⁽ʳ⁺¹⁾ replaces z⁽ʳ⁻¹⁾, of which row i is needed for row i alone. Each round fetches its share of the next
// tile.
template <class Set, class Real>
void GossipKernels<Set, Real>::mix_rows(const RoundList<Real>& rounds, StridedRows<Real> z,
                                        const std::array<StridedRows<Real>, 2>& scratch, Index width,
                                        Index next_width) {
  const int n = rounds.clients(), R = rounds.count;
  StridedRows<Real> now = z, before = z;
  for (int r = 0; r < R; ++r) {
    const Recursion<Real>& recursion = rounds[r];
    const StridedRows<Real> target = r > 0 && r + 1 == R ? z : scratch[r % 2];
    for (int i = 0, fetched = r; i < n; ++i) {
      if (i == fetched) {
        prefetch<Fetch::to_write>(z[i] + width, next_width);
        fetched += R;
      }
      mix_row(recursion, now, i, before, target, 0, width);
    }
    before = std::exchange(now, target);
  }
  if (R == 1)
    for (int i = 0; i < n; ++i) std::copy_n(now[i], width, z[i]);
}

template <class Set, class Real>
void GossipKernels<Set, Real>::mix_round(const Recursion<Real>& recursion, ClientRange who, Real* const* z,
                                         Real* const* before, Real* const* target, Index first, Index width) {
  for (int i = who.first; i < who.end(); ++i) mix_row(recursion, z, i, before, target, first, width);
}

template struct GossipKernels<DOC2S_KERNEL_SET, float>;
template struct GossipKernels<DOC2S_KERNEL_SET, double>;

}  // namespace doc2s
