// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "change.hpp"

// How long what goes over edges one by one takes where edges are down in some rounds.
namespace doc2s {

struct Trip {
  int from, to;
};

// Rounds, from `first` on, until all have arrived. Each goes by a shortest way over the graph's edges, of
// several to the lowest client that is nearer, and waits where its next edge is down.
Tick rounds_to_arrive(const NetworkChange& change, std::vector<Trip> trips, Tick first);

// A sum goes up the breadth-first tree from client 0, and the mean down again. Each level lasts until every
// one of its edges has been up.
class TreeRounds {
 public:
  explicit TreeRounds(const NetworkChange& change);  // which outlives this

  Tick up_and_down(Tick first) const;

 private:
  Tick through(const std::vector<Index>& level, Tick first) const;

  const NetworkChange& change_;
  std::vector<std::vector<Index>> levels_;  // edges, the root's first
};

}  // namespace doc2s
