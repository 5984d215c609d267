// SPDX-License-Identifier: Apache-2.0
#include "flood.hpp"

#include <algorithm>

namespace doc2s {

template <class Real>
Flood<Real>::Flood(Transport<Real>& transport, int clients)
    : transport_(transport), arrival_(clients), giver_(clients), ways_(clients), out_(transport.messages()) {}

template <class Real>
void Flood<Real>::begin(int from) {
  std::ranges::fill(arrival_, -1);
  arrival_[from] = passed_ = 0;
}

// A client gets v from the first of its neighbours that had it before the round.
template <class Real>
bool Flood<Real>::pass(const Recursion<Real>& round) {
  ++passed_;
  const auto had_it = [&](int j) { return arrival_[j] >= 0 && arrival_[j] < passed_; };
  bool more = false;
  for (int i = 0; i < round.clients(); ++i) {
    if (arrival_[i] >= 0) continue;
    const auto near = round.neighbours(i);
    const auto giver = std::ranges::find_if(near, had_it, &GossipTerm<Real>::client);
    if (giver == near.end()) continue;
    arrival_[i] = passed_;
    giver_[i] = giver->client;
    more = true;
  }
  return more;
}

// A process gets v for that of its clients that has it first, the lowest of equals.
template <class Real>
typename Flood<Real>::Way Flood<Real>::way() const {
  const int n = static_cast<int>(arrival_.size()), own = transport_.rank_of(transport_.clients().first);
  std::vector<int> first(transport_.rank_of(n - 1) + 1, -1);  // client of each rank
  for (int i = 0; i < n; ++i) {
    int& best = first[transport_.rank_of(i)];
    if (arrival_[i] >= 0 && (best < 0 || arrival_[i] < arrival_[best])) best = i;
  }
  Way way;
  for (int rank = 0; rank < std::ssize(first); ++rank) {
    const int client = first[rank];
    if (client < 0 || arrival_[client] == 0) continue;
    const int source = transport_.rank_of(giver_[client]);
    if (rank == own) way.source = source;
    if (source == own) way.next.push_back(rank);
  }
  return way;
}

template <class Real>
const typename Flood<Real>::Way& Flood<Real>::way_of(int from, const RoundList<Real>& rounds) {
  if (ways_[from]) return *ways_[from];
  begin(from);
  for (int r = 0; r < rounds.count && pass(rounds[r]); ++r) {
  }
  return ways_[from].emplace(way());
}

template <class Real>
void Flood<Real>::bring(int from, const RoundList<Real>& rounds, std::span<Real> v) {
  bring(way_of(from, rounds), v);
}

template <class Real>
void Flood<Real>::bring(const Way& way, std::span<Real> v) {
  const Index d = std::ssize(v), blocks = (d + message_numbers - 1) / message_numbers;
  const auto part = [&](Index block) {
    const Index first = block * message_numbers;
    return v.subspan(first, std::min(message_numbers, d - first));
  };
  while (way.source >= 0 && std::ssize(in_) < blocks) in_.push_back(transport_.messages());
  if (way.source >= 0)
    for (Index block = 0; block < blocks; ++block) in_[block]->receive(way.source, part(block));
  for (Index block = 0; block < blocks; ++block) {
    if (way.source >= 0) in_[block]->wait();
    for (const int rank : way.next) out_->send(rank, part(block));
  }
  out_->wait();
}

template class Flood<float>;
template class Flood<double>;

}  // namespace doc2s
