#pragma once
#include "doc2s/gossip/recursion.hpp"

namespace doc2s {

// Clients first ≤ i < last whose neighbours are i − 1 and i + 1 alone; or all clients 0 ≤ i < last of a ring,
// where the last one is the first one's neighbour too. The weights of an edge are the same both ways.
struct Chain {
  int first = 0, last = 0;
  bool is_ring = false;

  int count() const { return last - first; }
  bool contains(int i) const { return i >= first && i < last; }
};

template <class Real>
Chain longest_chain(const Recursion<Real>& recursion);

// Whether i's neighbours are i − 1 and i + 1 alone.
template <class Real>
bool is_link(const Recursion<Real>& recursion, int i) {
  const auto terms = recursion.neighbours(i);
  return terms.size() == 2 && terms[0].client == i - 1 && terms[1].client == i + 1;
}

}  // namespace doc2s
