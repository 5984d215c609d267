// SPDX-License-Identifier: Apache-2.0
#include "gossip.hpp"

#include <algorithm>

#include "changing_rounds.hpp"
#include "doc2s/transport/transport.hpp"
#include "flood.hpp"
#include "stages.hpp"
#include "tiles.hpp"
#include "tuning.hpp"

namespace doc2s {

template <class Real>
Gossip<Real>::Gossip(const Network& network, Rounds rounds, Transport<Real>& transport, Traffic& traffic,
                     ChangingRounds<Real>* changing)
    : R_(rounds.count),
      recursions_(recursions_of<Real>(network, rounds)),
      rounds_{recursions_, rounds.count},
      changing_(changing),
      messages_per_round_(2 * network.graph.edges()),
      transport_(transport),
      traffic_(traffic),
      kept_(network.clients()),
      c_({0, changing ? network.clients() : 0}, 1),
      tiles_(changing ? std::make_unique<Tiles<Real>>(network.clients())
                      : std::make_unique<Tiles<Real>>(rounds_)) {
  const Index row_bytes = tiles_->width() * static_cast<Index>(sizeof(Real));
  tiles_at_once_ = tuning::along_bytes / (network.clients() * row_bytes);
  if (tiles_at_once_ * row_bytes < tuning::least_along_row_bytes) tiles_at_once_ = 0;
  if (transport.clients().count == network.clients()) return;
  stages_ = std::make_unique<Stages<Real>>(network.graph, transport);
  stages_->set(rounds_, /*edges_change=*/false);
  flood_ = std::make_unique<Flood<Real>>(transport, network.clients());
}

template <class Real>
Gossip<Real>::~Gossip() = default;

template <class Real>
void Gossip<Real>::mix(Rows<Real>& z, const Work& work) {
  if (!changing_) count(R_, R_ * messages_per_round_ * z.dimension());
  for (int done = changing_ ? prepare(R_, z.dimension()) : R_;; done += prepare(R_ - done, z.dimension())) {
    mix_now(z, done == rounds_.count ? work : Work{});
    if (done == R_) return;
  }
}

// The next rounds of a network that changes, at most so many; how many they are.
template <class Real>
int Gossip<Real>::prepare(int most, Index dimension) {
  rounds_ = changing_->next(traffic_.rounds, most);
  tiles_->set(rounds_);
  if (stages_) stages_->set(rounds_, /*edges_change=*/true);
  count(rounds_.count, 2 * changing_->edges_up() * dimension);
  return rounds_.count;
}

// The rounds that are prepared.
template <class Real>
void Gossip<Real>::mix_now(Rows<Real>& z, const Work& work) {
  if (!stages_) return mix_here(z, work);
  do_along(z, work);
  stages_->send(z);
  if (work.beside) transport_.divergence().attempt(work.beside);
  stages_->mix(z);
  transport_.divergence().agree();
}

template <class Real>
void Gossip<Real>::do_along(const Rows<Real>& z, const Work& work) const {
  if (!work.along) return;
  const ClientRange here = z.clients();
  transport_.threads().each(
      here.count, [&](Index k) { work.along(here.first + static_cast<int>(k), 0, z.dimension()); },
      z.dimension());
}

// Threads take parts of several tiles; one of them does the work beside. All rows get mixed even if that
// fails.
template <class Real>
void Gossip<Real>::mix_here(Rows<Real>& z, const Work& work) const {
  const Index numbers = rounds_.clients() * z.in_lines() * rounds_.count, tiles = tiles_->count(z),
              threads = transport_.threads().count();
  if (tiles_at_once_ == 0) do_along(z, work);
  if (numbers < tuning::worth_a_thread) {
    mix_part(z, work, 0, tiles);
    if (work.beside) work.beside();
    return;
  }
  const Index parts = std::min(tiles, threads * std::clamp<Index>(numbers / (threads * tuning::least_part), 1,
                                                                  tuning::most_parts_per_thread));
  const Index others = work.beside ? 1 : 0;
  transport_.threads().each(others + parts, [&](Index k) {
    if (k < others) return work.beside();
    const Index part = k - others;
    mix_part(z, work, part * tiles / parts, (part + 1) * tiles / parts);
  });
}

template <class Real>
void Gossip<Real>::mix_part(Rows<Real>& z, const Work& work, Index first, Index end) const {
  const Index width = tiles_->width();
  for (Index tile = first; tile < end; ++tile) {
    if (work.along && tiles_at_once_ > 0 && (tile - first) % tiles_at_once_ == 0)
      for (int i = 0; i < rounds_.clients(); ++i)
        work.along(i, tile * width, std::min(std::min(tile + tiles_at_once_, end) * width, z.dimension()));
    tiles_->mix(z, tile, tile + 1 < end);
  }
}

template <class Real>
void Gossip<Real>::spread(int i, LargeVector<Real>& v, RankOneRows<Real>& Delta) {
  if (transport_.clients().contains(i)) Delta.v.swap(v);
  if (changing_) return spread_over_changes(i, Delta);
  Delta.clear();
  for (const auto& [client, c] : coefficients_of(i)) Delta.c[client] = c;
  if (flood_) flood_->bring(i, rounds_, Delta.v);
  count(R_, R_ * messages_per_round_ * std::ssize(Delta.v));
}

template <class Real>
void Gossip<Real>::spread_over_changes(int i, RankOneRows<Real>& Delta) {
  const int n = c_.clients().count;
  for (int j = 0; j < n; ++j) c_.row(j)[0] = j == i ? 1 : 0;
  if (flood_) flood_->begin(i);
  for (int done = 0; done < R_;) {
    done += prepare(R_ - done, std::ssize(Delta.v));
    tiles_->mix(c_, 0, false);
    for (int r = 0; flood_ && r < rounds_.count; ++r) flood_->pass(rounds_[r]);
  }
  for (int j = 0; j < n; ++j) Delta.c[j] = c_.row(j)[0];
  if (flood_) flood_->bring(Delta.v);
}

// FastGossip(e_i) is the same each time, and zero beyond R hops.
template <class Real>
const typename Gossip<Real>::Coefficients& Gossip<Real>::coefficients_of(int i) {
  Coefficients& kept = kept_[i];
  if (!kept.empty()) return kept;
  const int n = recursions_.front().clients();
  Rows<Real> c({0, n}, 1);
  c.row(i)[0] = 1;
  tiles_->mix(c, 0, false);
  Coefficients& found = numbers_kept_ < tuning::most_kept_coefficients ? kept : passing_;
  found.clear();
  for (int j = 0; j < n; ++j)
    if (c.row(j)[0] != 0) found.push_back({j, c.row(j)[0]});
  numbers_kept_ += std::ssize(kept);
  return found;
}

template <class Real>
void Gossip<Real>::count(int rounds, Index numbers) {
  traffic_.rounds += rounds;
  traffic_.bytes += numbers * static_cast<Index>(sizeof(Real));
}

template class Gossip<float>;
template class Gossip<double>;

}  // namespace doc2s
