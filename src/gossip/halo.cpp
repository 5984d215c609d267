// SPDX-License-Identifier: Apache-2.0
#include "halo.hpp"

#include <algorithm>
#include <set>

namespace doc2s {

template <class Real>
Halo<Real>::Halo(const Graph& graph, Transport<Real>& transport)
    : transport_(transport), clients_(graph.clients()) {
  const ClientRange here = transport.clients();
  std::set<int> wanted;
  for (int i = here.first; i < here.end(); ++i) {
    std::set<int> ranks;
    for (const int j : graph.neighbours(i))
      if (!here.contains(j)) {
        ranks.insert(transport.rank_of(j));
        wanted.insert(j);
      }
    for (const int rank : ranks) all_.out.push_back({i, rank});
  }
  for (const int j : wanted) all_.in.push_back({j, transport.rank_of(j)});
}

template <class Real>
void Halo<Real>::set(const RoundList<Real>& rounds) {
  const ClientRange here = transport_.clients();
  if (std::ssize(ways_) < rounds.count) ways_.resize(rounds.count);
  for (int r = 0; r < rounds.count; ++r) {
    const auto leads = [&](int client, const auto& there) {
      return std::ranges::any_of(rounds[r].neighbours(client), there, &GossipTerm<Real>::client);
    };
    const auto kept = [](const std::vector<Way>& from, std::vector<Way>& to, const auto& carries) {
      to.clear();
      std::ranges::copy_if(from, std::back_inserter(to), carries);
    };
    kept(all_.out, ways_[r].out, [&](const Way& way) {
      return leads(way.client, [&](int j) { return !here.contains(j) && transport_.rank_of(j) == way.rank; });
    });
    kept(all_.in, ways_[r].in,
         [&](const Way& way) { return leads(way.client, [&](int j) { return here.contains(j); }); });
  }
}

template <class Real>
void Halo<Real>::open(Rows<Real>& z) {
  if (!copies_ || dimension_ != z.dimension()) {
    dimension_ = z.dimension();
    width_ = message_numbers;
    copies_.emplace(ClientRange{0, static_cast<int>(all_.in.size())}, dimension_);
    scratch_.emplace(z.clients(), dimension_);
    under_way_.clear();
    for (Index column = 0; column < dimension_; column += width_) under_way_.push_back(transport_.messages());
  }
  rows_.assign(clients_, nullptr);
  for (std::size_t k = 0; k < all_.in.size(); ++k)
    rows_[all_.in[k].client] = copies_->row(static_cast<int>(k)).data();
  scratch_rows_ = rows_;
  for (int i = z.clients().first; i < z.clients().end(); ++i) {
    rows_[i] = z.row(i).data();
    scratch_rows_[i] = scratch_->row(i).data();
  }
}

template <class Real>
void Halo<Real>::exchange(Index block, int r, const std::vector<Real*>& rows) {
  const Ways& ways = ways_.empty() ? all_ : ways_[r];
  for (const auto& [client, rank] : ways.in) under_way_[block]->receive(rank, part(rows[client], block));
  for (const auto& [client, rank] : ways.out) under_way_[block]->send(rank, part(rows[client], block));
}

template class Halo<float>;
template class Halo<double>;

}  // namespace doc2s
