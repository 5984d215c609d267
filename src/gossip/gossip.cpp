#include "doc2s/gossip/gossip.hpp"

#include <algorithm>

#include "doc2s/transport/transport.hpp"
#include "flood.hpp"
#include "patches.hpp"
#include "row_kernel.hpp"
#include "stages.hpp"
#include "tiles.hpp"

namespace doc2s {

namespace {

constexpr Index along_bytes = 192 * 1024;  // of tiles that work before the mixing goes along

constexpr Index patch_row_bytes = 8 * 1024;  // at most, and so many rounds
constexpr int patch_rounds = 2;

// Numbers times rounds. One thread may be slower than another, so each gets several parts; but lines that go
// from core to core, as at the border of two parts, take as long as mixing some thousand numbers.
constexpr Index worth_a_thread = 24 * 1024, least_part = 16 * 1024;
constexpr Index most_parts_per_thread = 8;
constexpr Index few_enough_for_rows = 64 * 1024;  // numbers that are better mixed row by row, where they are

constexpr Index most_known_shares = 4 * 1024 * 1024;  // numbers c that are kept for later

// runs of tiles that threads take one by one
Index parts_of(Index work, Index tiles, Index threads) {
  if (work < worth_a_thread) return 1;
  return std::min(tiles,
                  threads * std::clamp<Index>(work / (threads * least_part), 1, most_parts_per_thread));
}

}  // namespace

template <class Real>
Gossip<Real>::Gossip(const Network& network, Rounds rounds, Transport<Real>& transport, Traffic& traffic)
    : recursion_(network, rounds),
      messages_per_round_(2 * network.graph.edges()),
      transport_(transport),
      traffic_(traffic),
      known_shares_(network.clients()),
      tiles_(std::make_unique<Tiles<Real>>(recursion_)) {
  if (transport.clients().count == network.clients()) {
    if (rounds.count <= patch_rounds && tiles_->narrow()) patches_ = Patches<Real>::of(recursion_);
    return;
  }
  stages_ = std::make_unique<Stages<Real>>(recursion_, network.graph, transport);
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
  if (!stages_) {
    const bool short_rows = z.in_lines() * static_cast<Index>(sizeof(Real)) <= patch_row_bytes;
    return patches_ && short_rows ? mix_patches(z, before, meanwhile) : mix_tiles(z, before, meanwhile);
  }
  if (before) call_for_whole_rows(z, before);
  stages_->send(z);
  if (meanwhile) meanwhile();
  stages_->mix(z);
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
  const int n = recursion_.clients();
  std::vector<Real> c(n);
  c[i] = 1;
  tiles_->mix_scalars(c);
  Shares& shares = shares_kept_ < most_known_shares ? known : passing_shares_;
  shares.clear();
  for (int j = 0; j < n; ++j)
    if (c[j] != 0) shares.push_back({j, c[j]});
  shares_kept_ += std::ssize(known);
  return shares;
}

// mix(part) for all parts, and meanwhile() by one of the threads. `work` is numbers times rounds.
template <class Real>
template <class Mix>
void Gossip<Real>::each_beside(const Meanwhile& meanwhile, Index work, Index parts, const Mix& mix) const {
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

// Work before the mixing goes along as many tiles as stay in cache; narrow ones would tear rows into pieces
// too short for it.
template <class Real>
void Gossip<Real>::mix_tiles(Rows<Real>& z, const Before& before, const Meanwhile& meanwhile) const {
  const int n = z.clients().count;
  const auto cut = tiles_->cut(z);
  const Index tiles = cut.tiles(), work = n * cut.columns * recursion_.rounds,
              parts = parts_of(work, tiles, transport_.threads().count());
  const Index at_once = std::max<Index>(1, along_bytes / (n * cut.width * static_cast<Index>(sizeof(Real))));
  const bool along_tiles = before && !tiles_->narrow();
  if (before && !along_tiles) call_for_whole_rows(z, before);
  each_beside(meanwhile, work, parts, [&](Index part) {
    const Index begin = part * tiles / parts, end = (part + 1) * tiles / parts;
    for (Index tile = begin; tile < end; ++tile) {
      if (along_tiles && (tile - begin) % at_once == 0)
        for (int i = 0; i < n; ++i)
          before(i, tile * cut.width, std::min(std::min(tile + at_once, end) * cut.width, z.dimension()));
      tiles_->mix(z, cut, tile, tile + 1 < end);
    }
  });
}

template <class Real>
void Gossip<Real>::mix_patches(Rows<Real>& z, const Before& before, const Meanwhile& meanwhile) {
  patches_->open(z);
  transport_.threads().each(
      patches_->kept(), [&](Index k) { patches_->keep(z, k); }, z.dimension());
  const auto& patches = patches_->all();
  each_beside(meanwhile, z.clients().count * z.in_lines() * recursion_.rounds, std::ssize(patches),
              [&](Index k) {
                const ClientRange inner = patches[k].inner;
                for (int i = inner.first; before && i < inner.end(); ++i) before(i, 0, z.dimension());
                patches_->mix(patches[k], z, recursion_.phi);
              });
}

template <class Real>
bool Gossip<Real>::mixes_rows(const Rows<Real>& z) const {
  return !stages_ && recursion_.rounds == 1 && z.clients().count * z.in_lines() < few_enough_for_rows;
}

template <class Real>
void Gossip<Real>::mix_row(int i, Rows<Real>& z, Rows<Real>& mixed) const {
  const StridedRows<Real> from{z.data(), z.stride()}, to{mixed.data(), mixed.stride()};
  gossip_row(recursion_, from, i, from, to, 0, z.in_lines());
}

template <class Real>
void Gossip<Real>::count(Index dimension) {
  traffic_.rounds += recursion_.rounds;
  traffic_.bytes += recursion_.rounds * messages_per_round_ * dimension * static_cast<Index>(sizeof(Real));
}

template class Gossip<float>;
template class Gossip<double>;

}  // namespace doc2s
