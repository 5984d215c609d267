// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "doc2s/network/graph.hpp"

namespace doc2s {

// A closed walk over the edges that stops at each client once a turn. On rings, complete graphs, tori,
// hypercubes, exponential graphs and grids of an even number of clients each step is an edge: n hops a turn.
// Else the clients are visited in preorder of the breadth-first tree from client 0, by the shortest way from
// one to the next: at most 2(n − 1) hops. The graph must be connected and outlive the tour.
class Tour {
 public:
  explicit Tour(const Graph& graph);

  int next(int client) const;  // itself for a single client
  int hops(int client) const;  // from the client to the next; 0 for a single client
  bool is_cycle() const;       // each step is an edge

 private:
  const Graph& graph_;
  std::vector<int> next_;  // empty where next() is a formula
};

// The breadth-first tree from client 0, neighbours ascending.
struct BreadthFirstTree {
  explicit BreadthFirstTree(const Graph& graph);

  int depth;    // an average up the tree and down again takes 2·depth rounds
  Index edges;  // n − 1

  static std::vector<int> parents(const Graph& graph);  // of each client; the root's is itself
};

}  // namespace doc2s
