#include "tiles.hpp"

#include <algorithm>
#include <utility>

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

}  // namespace

template <class Real>
Ring<Real>::Ring(const Recursion<Real>& recursion) : phi(recursion.phi) {
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
Tiles<Real>::Tiles(const Recursion<Real>& recursion)
    : recursion_(recursion), ring_(recursion), width_(tile_width<Real>(recursion.clients())) {}

template <class Real>
void Tiles<Real>::mix(Rows<Real>& z, Index tile, bool then_next) const {
  const Index first = tile * width_, rest = z.in_lines() - first, width = std::min(width_, rest);
  const Index next_width = then_next ? std::min(width_, rest - width_) : 0;
  const StridedRows<Real> columns{z.data() + first, z.stride()};
  if (!ring_) return mix_by_rows(columns, width, next_width);
  const auto before = two_scratch_buffers<Real>(recursion_.rounds > 2 ? recursion_.clients() : 0, width)[0];
  mix_ring(ring_, recursion_.rounds, columns, before, width, next_width);
}

// The first round reads z, the last one writes it, and those between alternate between two scratch buffers:
// z⁽ʳ⁺¹⁾ replaces z⁽ʳ⁻¹⁾, of which row i is needed for row i alone. Each round fetches its share of the next
// tile.
template <class Real>
void Tiles<Real>::mix_by_rows(StridedRows<Real> z, Index width, Index next_width) const {
  const int n = recursion_.clients(), R = recursion_.rounds;
  const auto scratch = two_scratch_buffers<Real>(n, width);
  StridedRows<Real> now = z, before = z;
  for (int r = 0; r < R; ++r) {
    const StridedRows<Real> target = r > 0 && r + 1 == R ? z : scratch[r % 2];
    for (int i = 0, fetched = r; i < n; ++i) {
      if (i == fetched) {
        prefetch<Fetch::to_write>(z[i] + width, next_width);
        fetched += R;
      }
      mix_row(recursion_, now, i, before, target, 0, width);
    }
    before = std::exchange(now, target);
  }
  if (R == 1)
    for (int i = 0; i < n; ++i) std::copy_n(now[i], width, z[i]);
}

template struct Ring<float>;
template struct Ring<double>;
template class Tiles<float>;
template class Tiles<double>;

}  // namespace doc2s
