#include "doc2s/gossip/gossip.hpp"

#include <algorithm>

#include "doc2s/transport/transport.hpp"

namespace doc2s {

namespace {

constexpr Index strip = 16;                  // columns summed in registers
constexpr Index tile_bytes = 128 * 1024;     // a tile of all rows, which R rounds then read from cache
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
}

template <class Real>
void Gossip<Real>::start(Rows<Real>& z) {
  const int n = z.clients().count;
  const Index d = z.dimension(), width = tile_width(n, sizeof(Real));
  const auto mix_tile = [&](Index part) {
    thread_local std::vector<Real> scratch;
    scratch.resize(static_cast<std::size_t>(n * width));
    const Index first = part * width;
    all_rounds(z.data() + first, z.stride(), scratch.data(), std::min(width, d - first));
  };
  const Index tiles = (d + width - 1) / width;
  if (n * d * rounds_ < worth_a_thread)
    for (Index part = 0; part < tiles; ++part) mix_tile(part);
  else
    transport_.threads().each(tiles, mix_tile);
  count(d);
}

template <class Real>
void Gossip<Real>::finish(Rows<Real>&) {}  // one process has it done in start()

template <class Real>
void Gossip<Real>::spread(int i, OneRow<Real>& Delta) {
  Delta.clear();
  Delta.c[i] = 1;
  all_rounds(Delta.c.data(), 1, scratch_c_.data(), 1);
  count(static_cast<Index>(Delta.v.size()));
}

// R rounds between the rows and a scratch of the same shape. z⁽ʳ⁺¹⁾ takes the place of z⁽ʳ⁻¹⁾, of which row i
// is needed for row i alone; the first round, where z⁽⁻¹⁾ = z⁽⁰⁾, goes into the scratch.
template <class Real>
void Gossip<Real>::all_rounds(Real* rows, Index stride, Real* scratch, Index width) const {
  const Index scratch_stride = width;
  for (int r = 0; r < rounds_; ++r) {
    if (r == 0)
      round(rows, stride, scratch, scratch_stride, rows, stride, width);
    else if (r % 2 == 0)
      round(rows, stride, scratch, scratch_stride, scratch, scratch_stride, width);
    else
      round(scratch, scratch_stride, rows, stride, rows, stride, width);
  }
  if (rounds_ % 2 == 0) return;
  for (Index i = 0; i < std::ssize(offsets_) - 1; ++i)
    std::copy_n(scratch + i * scratch_stride, width, rows + i * stride);
}

// (1 + φ) Σ_j p_ij z_j − φ b_i, written by differences as z_i + φ (z_i − b_i) + Σ_{j≠i} (1 + φ) p_ij (z_j −
// z_i), j ascending: equal rows stay equal to the bit, and what i gets from j is what j loses to i, so that
// the mean does not drift with the rounding of the weights (in float32 it would, by about 1e−8 a round).
template <class Real>
void Gossip<Real>::round(const Real* z, Index z_stride, Real* target, Index target_stride, const Real* before,
                         Index before_stride, Index width) const {
  for (Index i = 0; i < std::ssize(offsets_) - 1; ++i) {
    const Term* const last = terms_.data() + offsets_[i + 1];
    const auto columns = [&]<Index count>(Index c, std::integral_constant<Index, count>) {
      const Real* const own = z + i * z_stride + c;
      const Real* const b = before + i * before_stride + c;
      Real sum[count];
      for (Index k = 0; k < count; ++k) sum[k] = own[k] + phi_ * (own[k] - b[k]);
      for (const Term* term = terms_.data() + offsets_[i]; term < last; ++term) {
        const Real* const other = z + term->client * z_stride + c;
        for (Index k = 0; k < count; ++k) sum[k] += term->weight * (other[k] - own[k]);
      }
      std::copy_n(sum, count, target + i * target_stride + c);
    };
    Index c = 0;
    for (; c + strip <= width; c += strip) columns(c, std::integral_constant<Index, strip>{});
    for (; c < width; ++c) columns(c, std::integral_constant<Index, 1>{});
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
