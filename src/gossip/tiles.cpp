#include "tiles.hpp"

#include <algorithm>
#include <utility>

#include "chain_kernel.hpp"
#include "narrow_kernel.hpp"
#include "rooms.hpp"
#include "two_rounds_kernel.hpp"

namespace doc2s {

namespace {

constexpr Index tile_bytes = 48 * 1024;           // of all rows, which R rounds then read from cache
constexpr Index least_tile_row = 8 * line_bytes;  // less is not worth a call for each row
constexpr int narrow_lines = 2;                   // a row, where rows are too many for that

// The same for clients that are a chain: its rooms fit the first cache. Two rounds wait for the memory where
// that tears rows into short pieces, unless all rows are in cache anyway.
constexpr Index chain_tile_bytes = 8 * 1024;
constexpr Index least_chain_row = 4 * line_bytes;
constexpr int least_chain_rounds = 2;
constexpr Index in_cache_bytes = 1024 * 1024;

}  // namespace

template <class Real>
Tiles<Real>::Tiles(const Recursion<Real>& recursion)
    : recursion_(recursion),
      n_(recursion.clients()),
      narrow_(width(/*as_chain=*/false) <= narrow_lines * line_numbers<Real>) {
  if (recursion.rounds >= least_chain_rounds) chain_ = longest_chain(recursion);
}

template <class Real>
typename Tiles<Real>::Cut Tiles<Real>::cut(const Rows<Real>& z) const {
  const Index columns = z.in_lines();
  const bool as_chain = chain_pays(n_ * columns * static_cast<Index>(sizeof(Real)));
  return {as_chain, columns, width(as_chain)};
}

template <class Real>
bool Tiles<Real>::chain_pays(Index bytes) const {
  if (chain_.count() == 0) return false;
  return chain_.is_ring || recursion_.rounds > least_chain_rounds ||
         n_ * least_tile_row <= chain_tile_bytes || bytes <= in_cache_bytes;
}

// columns a tile, a multiple of the cache line
template <class Real>
Index Tiles<Real>::width(bool as_chain) const {
  if (as_chain && n_ * least_chain_row <= 2 * chain_tile_bytes)
    return std::max(least_chain_row, chain_tile_bytes / n_ / least_chain_row * least_chain_row) /
           static_cast<Index>(sizeof(Real));
  const Index bytes = tile_bytes / n_ / line_bytes * line_bytes;
  return (bytes < least_tile_row ? narrow_lines * line_bytes : bytes) / static_cast<Index>(sizeof(Real));
}

template <class Real>
void Tiles<Real>::mix(Rows<Real>& z, const Cut& cut, Index tile, bool then_next) const {
  const Index first = tile * cut.width, rest = cut.columns - first;
  mix_tile({z.data() + first, z.stride()}, cut.as_chain, std::min(cut.width, rest),
           then_next ? std::min(cut.width, rest - cut.width) : 0);
}

template <class Real>
void Tiles<Real>::mix_scalars(std::span<Real> c) const {
  mix_tile({c.data(), 1}, /*as_chain=*/false, 1, 0);
}

// The first round reads z, the last one writes it, and those between go to and fro between two rooms: z⁽ʳ⁺¹⁾
// takes the place of z⁽ʳ⁻¹⁾, of which row i is needed for row i alone. The `next` columns to the right of the
// tile, which come next, are fetched on the way.
template <class Real>
void Tiles<Real>::mix_tile(Strided z, bool as_chain, Index width, Index next) const {
  const int R = recursion_.rounds;
  const auto rooms = two_rooms<Real>(n_, width);
  Strided now = z, before = z;
  int r = 0;
  if (as_chain && chain_.is_ring && R > 1) {
    r = 2, before = rooms[0], now = R == r ? z : rooms[1];
    mix_ring_twice(recursion_.terms.data(), n_, recursion_.phi, z, R == r ? nullptr : &before, now, width,
                   std::exchange(next, 0));
  }
  for (; r < R; ++r) {
    const Strided target = r > 0 && r + 1 == R ? z : rooms[r % 2];
    if (!narrow_round(width, now, before, target, {r == 0 && next > 0 ? z.data + width : nullptr, z.stride}))
      wide_round(r, as_chain, width, now, before, target, {z.data + width, z.stride}, next);
    before = std::exchange(now, target);
  }
  if (R == 1)
    for (int i = 0; i < n_; ++i) std::copy_n(now[i], width, z[i]);
}

// False: the tile is not narrow. A tile at the end of the rows may be half as wide as the others.
template <class Real>
bool Tiles<Real>::narrow_round(Index width, Strided z, Strided before, Strided target, Strided next) const {
  const auto mix_if = [&]<int lines>() {
    if (width != NarrowRound<lines, Real>::width) return false;
    NarrowRound<lines, Real>::mix(recursion_.offsets.data(), recursion_.terms.data(), recursion_.phi, n_, z,
                                  before, target, next);
    return true;
  };
  return mix_if.template operator()<1>() || mix_if.template operator()<narrow_lines>();
}

// Each round fetches its share of the rows of the next tile.
template <class Real>
void Tiles<Real>::wide_round(int r, bool as_chain, Index width, Strided z, Strided before, Strided target,
                             Strided next, Index next_width) const {
  for (int i = 0, fetched = r; i < n_; ++i) {
    if (i == fetched) {
      prefetch<Fetch::to_write>(next[i], next_width);
      fetched += recursion_.rounds;
    }
    if (!as_chain || !chain_.contains(i)) gossip_row(recursion_, z, i, before, target, 0, width);
  }
  if (as_chain)
    mix_chain(recursion_.terms.data() + recursion_.offsets[chain_.first], chain_, r == 0, recursion_.phi, z,
              before, target, width);
}

template class Tiles<float>;
template class Tiles<double>;

}  // namespace doc2s
