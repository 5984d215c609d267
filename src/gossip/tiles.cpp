// SPDX-License-Identifier: Apache-2.0
#include "tiles.hpp"

#include <algorithm>
#include <utility>

#include "gossip_kernels.hpp"
#include "scratch.hpp"
#include "tuning.hpp"

namespace doc2s {

namespace {

// The weight of the edge between i and j; nothing where they are not the two neighbours of each other's.
template <class Real>
const Real* ring_weight(const Recursion<Real>& recursion, int i, int j) {
  const auto terms = recursion.neighbours(i);
  for (const auto& term : terms)
    if (term.client == j && terms.size() == 2) return &term.weight;
  return nullptr;
}

// Columns a tile: a multiple of the narrowest, which it is with many clients.
template <class Real>
Index tile_width(int clients) {
  constexpr Index least = tuning::least_tile_row_bytes;
  return std::max(tuning::tile_bytes / clients / least * least, least) / static_cast<Index>(sizeof(Real));
}

// One for each recursion; none where they are no rings.
template <class Real>
std::vector<Ring<Real>> rings_of(std::span<const Recursion<Real>> different) {
  std::vector<Ring<Real>> rings;
  for (const auto& recursion : different)
    if (rings.emplace_back(recursion); !rings.back()) return {};
  return rings;
}

}  // namespace

template <class Real>
Ring<Real>::Ring(const Recursion<Real>& recursion) : d(recursion.d) {
  const int n = recursion.clients();
  std::vector<Real> found;
  for (int i = 0; i < n; ++i) {
    const Real *const there = ring_weight(recursion, i, (i + 1) % n), *const back = ring_weight(
                                                                          recursion, (i + 1) % n, i);
    if (n < 3 || !there || !back || *there != *back) return;
    found.push_back(*there);
  }
  weights = std::move(found);
}

template <class Real>
Tiles<Real>::Tiles(const RoundList<Real>& rounds)
    : rounds_(rounds), rings_(rings_of(rounds.different)), width_(tile_width<Real>(rounds.clients())) {}

template <class Real>
Tiles<Real>::Tiles(int clients) : width_(tile_width<Real>(clients)) {}

template <class Real>
void Tiles<Real>::mix(Rows<Real>& z, Index tile, bool then_next) const {
  const Index first = tile * width_, rest = z.in_lines() - first, width = std::min(width_, rest);
  const Index next_width = then_next ? std::min(width_, rest - width_) : 0;
  const StridedRows<Real> columns{z.data() + first, z.stride()};
  const int n = rounds_.clients(), R = rounds_.count;
  const auto scratch = two_scratch_buffers<Real>(!rings_.empty() && R <= 2 ? 0 : n, width);
  by_kernels<GossipKernels, Real>([&](auto kernels) {
    if (!rings_.empty())
      kernels.mix_ring(rings_, R, columns, scratch[0], width, next_width);
    else
      kernels.mix_rows(rounds_, columns, scratch, width, next_width);
  });
}

template struct Ring<float>;
template struct Ring<double>;
template class Tiles<float>;
template class Tiles<double>;

}  // namespace doc2s
