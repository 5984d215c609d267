#include "flood.hpp"

#include <algorithm>

namespace doc2s {

template <class Real>
Flood<Real>::Flood(const Graph& graph, int hops, Transport<Real>& transport)
    : graph_(graph), hops_(hops), transport_(transport), ways_(graph.clients()), out_(transport.messages()) {}

// A process gets v for that of its clients that is nearest to the source, the first of equals, from the
// process of that client's first neighbour that is one hop nearer.
template <class Real>
const typename Flood<Real>::Way& Flood<Real>::way_of(int from) {
  if (ways_[from]) return *ways_[from];
  const std::vector<int> hops = graph_.hops_from(from, hops_);
  const int own = transport_.rank_of(transport_.clients().first);
  std::vector<int> nearest(transport_.rank_of(graph_.clients() - 1) + 1, -1);  // client of each rank
  for (int i = 0; i < graph_.clients(); ++i) {
    int& best = nearest[transport_.rank_of(i)];
    if (hops[i] >= 0 && (best < 0 || hops[i] < hops[best])) best = i;
  }
  Way way;
  for (int rank = 0; rank < std::ssize(nearest); ++rank) {
    const int client = nearest[rank];
    if (client < 0 || hops[client] == 0) continue;
    const auto neighbours = graph_.neighbours(client);
    const int nearer = *std::ranges::find_if(neighbours, [&](int j) { return hops[j] == hops[client] - 1; });
    const int source = transport_.rank_of(nearer);
    if (rank == own) way.source = source;
    if (source == own) way.next.push_back(rank);
  }
  return ways_[from].emplace(std::move(way));
}

template <class Real>
void Flood<Real>::bring(int from, std::span<Real> v) {
  const Way& way = way_of(from);
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
