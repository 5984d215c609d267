// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <vector>

#include "change.hpp"
#include "doc2s/network/weights.hpp"

namespace doc2s {

// P_t: Metropolis–Hastings on the edges that are up, 1/(1 + the larger degree of the two), and half of it
// where the network is lazy. Symmetric and doubly stochastic.
class RoundWeights {
 public:
  explicit RoundWeights(const NetworkChange& change);  // which outlives this

  void go_to(Tick round);
  template <class IsUp>
  void take(const IsUp& is_up) {  // of an edge's number
    std::ranges::fill(degree_, 0);
    edges_up_ = 0;
    for (Index edge = 0; edge < std::ssize(up_); ++edge)
      if ((up_[edge] = is_up(edge))) add(change_.edges()[edge]);
  }

  int clients() const { return static_cast<int>(std::ssize(degree_)); }
  bool up(Index edge) const { return up_[edge]; }
  Index edges_up() const { return edges_up_; }
  bool connected() const;

  // visit(j, p_ij) for each j ≠ i whose edge to client i is up, ascending
  template <class Visit>
  void each(int i, const Visit& visit) const {
    const auto near = change_.graph().neighbours(i);
    const Index first = near.data() - change_.graph().neighbours(0).data();
    for (Index k = 0; k < std::ssize(near); ++k)
      if (up_[edge_at_[first + k]]) visit(near[k], weight(i, near[k]));
  }
  Weights matrix() const;

 private:
  void add(const Graph::Edge& edge) {
    ++degree_[edge.first];
    ++degree_[edge.second];
    ++edges_up_;
  }
  double weight(int i, int j) const {
    const double whole = 1.0 / (1 + std::max(degree_[i], degree_[j]));
    return change_.lazy() ? whole / 2 : whole;
  }

  const NetworkChange& change_;
  std::vector<Index> edge_at_;  // the number of the edge at each place of the graph's lists of neighbours
  std::vector<char> up_;        // of each edge
  std::vector<int> degree_;
  Index edges_up_ = 0;
  Tick round_ = -1;
};

}  // namespace doc2s
