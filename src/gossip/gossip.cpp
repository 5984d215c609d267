#include "doc2s/gossip/gossip.hpp"

#include <algorithm>

#include "doc2s/transport/transport.hpp"
#include "flood.hpp"
#include "halo.hpp"

namespace doc2s {

namespace {

constexpr Index strip = 16;                  // columns summed in registers
constexpr Index tile_bytes = 128 * 1024;     // a tile of all rows, which R rounds then read from cache
constexpr Index tile_columns = 4096;         // the same where rows come in blocks, one round at a time
constexpr Index worth_a_thread = 64 * 1024;  // numbers to mix before other threads are woken

// columns a tile, a multiple of the strip
Index tile_width(int rows, std::size_t number_bytes) {
  const Index columns = tile_bytes / (rows * static_cast<Index>(number_bytes));
  return std::max(strip, columns / strip * strip);
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
      scratch_c_(network.clients()) {
  for (int i = 0; i < network.clients(); ++i) {
    for (const auto& [j, weight] : network.P.row(i))
      if (j != i) terms_.push_back({j, static_cast<Real>((1 + rounds.phi) * weight)});
    offsets_.push_back(static_cast<Index>(terms_.size()));
  }
  if (transport.clients().count == network.clients()) return;
  halo_ = std::make_unique<Halo<Real>>(network.graph, transport);
  flood_ = std::make_unique<Flood<Real>>(network.graph, rounds.count, transport);
}

template <class Real>
Gossip<Real>::~Gossip() = default;

template <class Real>
void Gossip<Real>::start(Rows<Real>& z) {
  count(z.dimension());
  if (!halo_) return mix_here(z);
  halo_->open(z);
  for (Index block = 0; block < halo_->blocks(); ++block) halo_->exchange(block, halo_->rows());
}

template <class Real>
void Gossip<Real>::finish(Rows<Real>& z) {
  if (halo_) mix_with_others(z);
}

template <class Real>
void Gossip<Real>::spread(int i, OneRow<Real>& Delta) {
  thread_local Pointers c, scratch;
  c.clear(), scratch.clear();
  for (Real& number : Delta.c) c.push_back(&number);
  for (Real& number : scratch_c_) scratch.push_back(&number);
  Delta.clear();
  Delta.c[i] = 1;
  all_rounds({0, static_cast<int>(Delta.c.size())}, c, scratch, 1);
  if (flood_) flood_->bring(i, Delta.v);
  count(static_cast<Index>(Delta.v.size()));
}

// All R rounds on a tile of columns while it is in cache.
template <class Real>
void Gossip<Real>::mix_here(Rows<Real>& z) const {
  const int n = z.clients().count;
  const Index d = z.dimension(), width = tile_width(n, sizeof(Real));
  const auto mix_tile = [&](Index part) {
    thread_local std::vector<Real> room;
    thread_local Pointers rows, scratch;
    room.resize(static_cast<std::size_t>(n * width));
    rows.clear(), scratch.clear();
    for (int i = 0; i < n; ++i) {
      rows.push_back(z.row(i).data() + part * width);
      scratch.push_back(room.data() + i * width);
    }
    all_rounds(z.clients(), rows, scratch, std::min(width, d - part * width));
  };
  const Index tiles = (d + width - 1) / width;
  if (n * d * rounds_ < worth_a_thread)
    for (Index part = 0; part < tiles; ++part) mix_tile(part);
  else
    transport_.threads().each(tiles, mix_tile);
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
    round(r, z.clients(), halo_->rows(), halo_->scratch(), first + column,
          std::min(tile_columns, width - column));
  });
  if (r + 1 < rounds_)
    halo_->exchange(block, r % 2 == 0 ? halo_->scratch() : halo_->rows());
  else if (rounds_ % 2 == 1)
    for (int i = z.clients().first; i < z.clients().end(); ++i)
      std::copy_n(halo_->scratch()[i] + first, width, z.row(i).data() + first);
}

template <class Real>
void Gossip<Real>::all_rounds(ClientRange who, const Pointers& rows, const Pointers& scratch,
                              Index width) const {
  for (int r = 0; r < rounds_; ++r) round(r, who, rows, scratch, 0, width);
  if (rounds_ % 2 == 1)
    for (int i = who.first; i < who.end(); ++i) std::copy_n(scratch[i], width, rows[i]);
}

// Round r, between the rows and a scratch of the same shape: z⁽ʳ⁺¹⁾ takes the place of z⁽ʳ⁻¹⁾, of which row i
// is needed for row i alone; the first round, where z⁽⁻¹⁾ = z⁽⁰⁾, goes into the scratch.
//
// (1 + φ) Σ_j p_ij z_j − φ b_i, written by differences as z_i + φ (z_i − b_i) + Σ_{j≠i} (1 + φ) p_ij (z_j −
// z_i), j ascending: equal rows stay equal to the bit, and what i gets from j is what j loses to i, so that
// the mean does not drift with the rounding of the weights (in float32 it would, by about 1e−8 a round).
template <class Real>
void Gossip<Real>::round(int r, ClientRange who, const Pointers& rows, const Pointers& scratch, Index first,
                         Index width) const {
  Real* const* const z = r % 2 == 0 ? rows.data() : scratch.data();
  Real* const* const target = r % 2 == 0 ? scratch.data() : rows.data();
  Real* const* const before = r == 0 ? z : target;
  for (int i = who.first; i < who.end(); ++i) {
    const Term* const last = terms_.data() + offsets_[i + 1];
    const auto columns = [&]<Index count>(Index c, std::integral_constant<Index, count>) {
      const Real* const own = z[i] + c;
      const Real* const b = before[i] + c;
      Real sum[count];
      for (Index k = 0; k < count; ++k) sum[k] = own[k] + phi_ * (own[k] - b[k]);
      for (const Term* term = terms_.data() + offsets_[i]; term < last; ++term) {
        const Real* const other = z[term->client] + c;
        for (Index k = 0; k < count; ++k) sum[k] += term->weight * (other[k] - own[k]);
      }
      std::copy_n(sum, count, target[i] + c);
    };
    Index c = first;
    for (; c + strip <= first + width; c += strip) columns(c, std::integral_constant<Index, strip>{});
    for (; c + 4 <= first + width; c += 4) columns(c, std::integral_constant<Index, 4>{});
    for (; c < first + width; ++c) columns(c, std::integral_constant<Index, 1>{});
  }
}

template <class Real>
void Gossip<Real>::count(Index dimension) {
  traffic_.rounds += rounds_;
  traffic_.bytes += rounds_ * messages_per_round_ * dimension * static_cast<Index>(sizeof(Real));
}

template class Gossip<float>;
template class Gossip<double>;

}  // namespace doc2s
