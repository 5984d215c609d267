#include "doc2s/gossip/gossip.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "chain_kernel.hpp"
#include "doc2s/transport/transport.hpp"
#include "flood.hpp"
#include "halo.hpp"
#include "narrow_kernel.hpp"
#include "patches.hpp"
#include "rooms.hpp"
#include "two_rounds_kernel.hpp"

namespace doc2s {

namespace {

constexpr Index tile_bytes = 48 * 1024;           // of all rows, which R rounds then read from cache
constexpr Index along_bytes = 4 * tile_bytes;     // of tiles that work before the mixing goes along
constexpr Index least_tile_row = 8 * line_bytes;  // less is not worth a call for each row
constexpr int narrow_lines = 2;                   // a row, where rows are too many for that

// The same for clients that are a chain: its rooms fit the first cache. Two rounds wait for the memory where
// that tears rows into short pieces, unless all rows are in cache anyway.
constexpr Index chain_tile_bytes = 8 * 1024;
constexpr Index least_chain_row = 4 * line_bytes;
constexpr int least_chain_rounds = 2;
constexpr Index in_cache_bytes = 1024 * 1024;

constexpr Index patch_row_bytes = 8 * 1024;  // at most, and so many rounds
constexpr int patch_rounds = 2;

constexpr Index tile_columns = 4096;  // where rows come in blocks, one round at a time

// Numbers times rounds. One thread may be slower than another, so each gets several parts; but lines that go
// from core to core, as at the border of two parts, take as long as mixing some thousand numbers.
constexpr Index worth_a_thread = 24 * 1024, least_part = 16 * 1024;
constexpr Index most_parts_per_thread = 8;
constexpr Index few_enough_for_rows = 64 * 1024;  // numbers that are better mixed row by row, where they are

constexpr Index most_known_shares = 4 * 1024 * 1024;  // numbers c that are kept for later

// columns a tile, a multiple of the cache line
template <class Real>
Index tile_width(int rows, bool chain) {
  if (chain && rows * least_chain_row <= 2 * chain_tile_bytes)
    return std::max(least_chain_row, chain_tile_bytes / rows / least_chain_row * least_chain_row) /
           static_cast<Index>(sizeof(Real));
  const Index bytes = tile_bytes / rows / line_bytes * line_bytes;
  return (bytes < least_tile_row ? narrow_lines * line_bytes : bytes) / static_cast<Index>(sizeof(Real));
}

template <class Real>
bool is_narrow(Index width) {
  return width <= narrow_lines * line_numbers<Real>;
}

// runs of tiles that threads take one by one
Index parts_of(Index work, Index tiles, Index threads) {
  if (work < worth_a_thread) return 1;
  return std::min(tiles,
                  threads * std::clamp<Index>(work / (threads * least_part), 1, most_parts_per_thread));
}

}  // namespace

template <class Real>
Gossip<Real>::Gossip(const Network& network, Rounds rounds, Transport<Real>& transport, Traffic& traffic)
    : offsets_{0},
      rounds_(rounds.count),
      phi_(static_cast<Real>(rounds.phi)),
      messages_per_round_(2 * network.graph.edges()),
      transport_(transport),
      traffic_(traffic),
      known_shares_(network.clients()) {
  for (int i = 0; i < network.clients(); ++i) {
    for (const auto& [j, weight] : network.P.row(i))
      if (j != i) terms_.push_back({j, static_cast<Real>((1 + rounds.phi) * weight)});
    offsets_.push_back(static_cast<Index>(terms_.size()));
  }
  if (rounds_ >= least_chain_rounds) chain_ = longest_chain();
  if (transport.clients().count == network.clients()) {
    if (rounds_ <= patch_rounds && is_narrow<Real>(tile_width<Real>(network.clients(), chain_.count() > 0)))
      patches_ = Patches<Real>::of(offsets_, terms_, rounds_);
    return;
  }
  halo_ = std::make_unique<Halo<Real>>(network.graph, transport);
  flood_ = std::make_unique<Flood<Real>>(network.graph, rounds.count, transport);
}

template <class Real>
Gossip<Real>::~Gossip() = default;

template <class Real>
const Threads& Gossip<Real>::threads() const {
  return transport_.threads();
}

template <class Real>
void Gossip<Real>::mix_and(Rows<Real>& z, const Before& before, const Meanwhile& meanwhile) {
  count(z.dimension());
  if (!halo_) {
    const bool short_rows = z.in_lines() * static_cast<Index>(sizeof(Real)) <= patch_row_bytes;
    return patches_ && short_rows ? mix_patches(z, before, meanwhile) : mix_tiles(z, before, meanwhile);
  }
  if (before) call_for_whole_rows(z, before);
  halo_->open(z);
  for (Index block = 0; block < halo_->blocks(); ++block) halo_->exchange(block, halo_->rows());
  if (meanwhile) meanwhile();
  mix_with_others(z);
}

template <class Real>
void Gossip<Real>::call_for_whole_rows(const Rows<Real>& z, const Before& before) const {
  const ClientRange here = z.clients();
  transport_.threads().each(
      here.count, [&](Index k) { before(here.first + static_cast<int>(k), 0, z.dimension()); },
      z.dimension());
}

template <class Real>
void Gossip<Real>::spread(int i, OneRow<Real>& Delta) {
  Delta.clear();
  for (const auto& [client, c] : shares_of(i)) Delta.c[client] = c;
  if (flood_) flood_->bring(i, Delta.v);
  count(static_cast<Index>(Delta.v.size()));
}

// FastGossip(e_i) is the same each time, and zero beyond R hops.
template <class Real>
const typename Gossip<Real>::Shares& Gossip<Real>::shares_of(int i) {
  Shares& known = known_shares_[i];
  if (!known.empty()) return known;
  const int n = static_cast<int>(known_shares_.size());
  std::vector<Real> c(n);
  c[i] = 1;
  mix_tile({c.data(), 1}, n, /*chain=*/false, 1, 0);
  Shares& shares = shares_kept_ < most_known_shares ? known : passing_shares_;
  shares.clear();
  for (int j = 0; j < n; ++j)
    if (c[j] != 0) shares.push_back({j, c[j]});
  shares_kept_ += std::ssize(known);
  return shares;
}

// All R rounds on a tile of columns while it is in cache. Rows end at a cache line: what is between a row's
// last number and that end is zero, stays zero, and makes all widths alike. Work before the mixing goes along
// as many tiles as stay in cache; narrow ones would tear rows into pieces too short for it.
template <class Real>
void Gossip<Real>::mix_tiles(Rows<Real>& z, const Before& before, const Meanwhile& meanwhile) const {
  const int n = z.clients().count;
  const Index d = z.in_lines();
  const bool chain = chain_pays(n, n * d * static_cast<Index>(sizeof(Real)));
  const Index width = tile_width<Real>(n, chain);
  const Index tiles = (d + width - 1) / width,
              parts = parts_of(n * d * rounds_, tiles, transport_.threads().count());
  const Index at_once = std::max<Index>(1, along_bytes / (n * width * static_cast<Index>(sizeof(Real))));
  const bool along_tiles = before && !is_narrow<Real>(width);
  if (before && !along_tiles) call_for_whole_rows(z, before);
  const auto mix_run = [&](Index part) {
    const Index begin = part * tiles / parts, end = (part + 1) * tiles / parts;
    for (Index tile = begin; tile < end; ++tile) {
      const Index first = tile * width, rest = d - first;
      if (along_tiles && (tile - begin) % at_once == 0)
        for (int i = 0; i < n; ++i)
          before(i, first, std::min(std::min(tile + at_once, end) * width, z.dimension()));
      mix_tile({z.data() + first, z.stride()}, n, chain, std::min(width, rest),
               tile + 1 < end ? std::min(width, rest - width) : 0);
    }
  };
  each_beside(meanwhile, n * d * rounds_, parts, mix_run);
}

template <class Real>
void Gossip<Real>::mix_patches(Rows<Real>& z, const Before& before, const Meanwhile& meanwhile) {
  patches_->open(z);
  transport_.threads().each(
      patches_->kept(), [&](Index k) { patches_->keep(z, k); }, z.dimension());
  const auto& patches = patches_->all();
  each_beside(meanwhile, z.clients().count * z.in_lines() * rounds_, std::ssize(patches), [&](Index k) {
    const ClientRange inner = patches[k].inner;
    for (int i = inner.first; before && i < inner.end(); ++i) before(i, 0, z.dimension());
    patches_->mix(patches[k], z, phi_);
  });
}

// mix(part) for all parts, and meanwhile() by one of the threads. `work` is numbers times rounds.
template <class Real>
void Gossip<Real>::each_beside(const Meanwhile& meanwhile, Index work, Index parts,
                               const std::function<void(Index)>& mix) const {
  const Index others = meanwhile ? 1 : 0;
  if (work < worth_a_thread) {
    for (Index part = 0; part < parts; ++part) mix(part);
    if (meanwhile) meanwhile();
    return;
  }
  transport_.threads().each(others + parts, [&](Index k) {  // all rows get mixed even if meanwhile() fails
    if (k < others)
      meanwhile();
    else
      mix(k - others);
  });
}

template <class Real>
bool Gossip<Real>::mixes_rows(const Rows<Real>& z) const {
  return !halo_ && rounds_ == 1 && z.clients().count * z.in_lines() < few_enough_for_rows;
}

template <class Real>
void Gossip<Real>::mix_row(int i, Rows<Real>& z, Rows<Real>& mixed) const {
  const StridedRows<Real> from{z.data(), z.stride()}, to{mixed.data(), mixed.stride()};
  row(i, from, from, to, 0, z.in_lines());
}

// The first round reads z, the last one writes it, and those between go to and fro between two rooms: z⁽ʳ⁺¹⁾
// takes the place of z⁽ʳ⁻¹⁾, of which row i is needed for row i alone. The `next` columns to the right of the
// tile, which come next, are fetched on the way.
template <class Real>
void Gossip<Real>::mix_tile(StridedRows<Real> z, int n, bool chain, Index width, Index next) const {
  const auto rooms = two_rooms<Real>(n, width);
  StridedRows<Real> now = z, before = z;
  int r = 0;
  if (chain && chain_.is_ring && rounds_ > 1) {
    r = 2, before = rooms[0], now = rounds_ == r ? z : rooms[1];
    mix_ring_twice(terms_.data(), n, phi_, z, rounds_ == r ? nullptr : &before, now, width,
                   std::exchange(next, 0));
  }
  for (; r < rounds_; ++r) {
    const StridedRows<Real> target = r > 0 && r + 1 == rounds_ ? z : rooms[r % 2];
    if (!narrow_round(width, n, now, before, target,
                      {r == 0 && next > 0 ? z.data + width : nullptr, z.stride}))
      wide_round(r, chain, width, n, now, before, target, {z.data + width, z.stride}, next);
    before = std::exchange(now, target);
  }
  if (rounds_ == 1)
    for (int i = 0; i < n; ++i) std::copy_n(now[i], width, z[i]);
}

// Each round fetches its share of the rows of the next tile.
template <class Real>
void Gossip<Real>::wide_round(int r, bool chain, Index width, int n, StridedRows<Real> z,
                              StridedRows<Real> before, StridedRows<Real> target, StridedRows<Real> next,
                              Index next_width) const {
  for (int i = 0, fetched = r; i < n; ++i) {
    if (i == fetched) {
      prefetch<Fetch::to_write>(next[i], next_width);
      fetched += rounds_;
    }
    if (!chain || !chain_.contains(i)) row(i, z, before, target, 0, width);
  }
  if (chain)
    mix_chain(terms_.data() + offsets_[chain_.first], chain_, r == 0, phi_, z, before, target, width);
}

template <class Real>
bool Gossip<Real>::chain_pays(int n, Index bytes) const {
  if (chain_.count() == 0) return false;
  return chain_.is_ring || rounds_ > least_chain_rounds || n * least_tile_row <= chain_tile_bytes ||
         bytes <= in_cache_bytes;
}

template <class Real>
Chain Gossip<Real>::longest_chain() const {
  const int n = static_cast<int>(std::ssize(offsets_)) - 1;
  if (is_ring()) return {0, n, true};
  Chain longest, chain;
  for (int i = 0; i < n; ++i) {
    const auto terms = neighbours(i);
    const bool links = terms.size() == 2 && terms[0].client == i - 1 && terms[1].client == i + 1;
    const bool goes_on =
        links && chain.last == i && chain.count() > 0 && terms[0].weight == neighbours(i - 1)[1].weight;
    chain = goes_on ? Chain{chain.first, i + 1} : Chain{i, links ? i + 1 : i};
    if (chain.count() > longest.count()) longest = chain;
  }
  return longest;
}

// Whether each client's neighbours are the next and the one before, the first being the last one's next.
template <class Real>
bool Gossip<Real>::is_ring() const {
  const int n = static_cast<int>(std::ssize(offsets_)) - 1;
  const auto weight = [&](int i, int j) {  // of j with i, NaN where they are not two neighbours
    const auto terms = neighbours(i);
    for (const auto& term : terms)
      if (term.client == j && terms.size() == 2) return term.weight;
    return std::numeric_limits<Real>::quiet_NaN();
  };
  for (int i = 0; i < n; ++i)
    if (weight(i, (i + 1) % n) != weight((i + 1) % n, i)) return false;
  return n > 2;
}

// False: the tile is not narrow. A tile at the end of the rows may be half as wide as the others.
template <class Real>
bool Gossip<Real>::narrow_round(Index width, int n, StridedRows<Real> z, StridedRows<Real> before,
                                StridedRows<Real> target, StridedRows<Real> next) const {
  const auto mix_if = [&]<int lines>() {
    if (width != NarrowRound<lines, Real>::width) return false;
    NarrowRound<lines, Real>::mix(offsets_.data(), terms_.data(), phi_, n, z, before, target, next);
    return true;
  };
  return mix_if.template operator()<1>() || mix_if.template operator()<narrow_lines>();
}

// Block b does round r in stage b + r: what it needs from others was sent a stage before.
template <class Real>
void Gossip<Real>::mix_with_others(Rows<Real>& z) {
  const Index blocks = halo_->blocks();
  for (Index stage = 0; stage < blocks + rounds_ - 1; ++stage)
    for (Index r = std::max<Index>(0, stage - blocks + 1); r <= std::min<Index>(stage, rounds_ - 1); ++r)
      round_of_block(stage - r, static_cast<int>(r), z);
}

template <class Real>
void Gossip<Real>::round_of_block(Index block, int r, Rows<Real>& z) {
  const Index first = halo_->first(block), width = halo_->width(block);
  halo_->wait(block);
  const Index tiles = (width + tile_columns - 1) / tile_columns;
  transport_.threads().each(tiles, [&](Index tile) {
    const Index column = tile * tile_columns;
    round(r, z.clients(), first + column, std::min(tile_columns, width - column));
  });
  if (r + 1 < rounds_)
    halo_->exchange(block, r % 2 == 0 ? halo_->scratch() : halo_->rows());
  else if (rounds_ % 2 == 1)
    for (int i = z.clients().first; i < z.clients().end(); ++i)
      std::copy_n(halo_->scratch()[i] + first, width, z.row(i).data() + first);
}

// Round r, between the rows and a scratch of the same shape; the first one, where z⁽⁻¹⁾ = z⁽⁰⁾, goes into the
// scratch.
template <class Real>
void Gossip<Real>::round(int r, ClientRange who, Index first, Index width) const {
  Real* const* const rows = halo_->rows().data();
  Real* const* const scratch = halo_->scratch().data();
  Real* const* const z = r % 2 == 0 ? rows : scratch;
  Real* const* const target = r % 2 == 0 ? scratch : rows;
  for (int i = who.first; i < who.end(); ++i) row(i, z, r == 0 ? z : target, target, first, width);
}

template <class Real>
template <class Rows>
void Gossip<Real>::row(int i, const Rows& z, const Rows& before, const Rows& target, Index first,
                       Index width) const {
  gossip_row(terms_.data() + offsets_[i], terms_.data() + offsets_[i + 1], phi_, z, i, before, target, first,
             width);
}

template <class Real>
void Gossip<Real>::count(Index dimension) {
  traffic_.rounds += rounds_;
  traffic_.bytes += rounds_ * messages_per_round_ * dimension * static_cast<Index>(sizeof(Real));
}

template class Gossip<float>;
template class Gossip<double>;

}  // namespace doc2s
