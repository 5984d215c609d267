// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "doc2s/base/types.hpp"
#include "doc2s/config/options.hpp"
#include "doc2s/network/graph.hpp"

namespace doc2s {

// What is known of the rounds before any of them.
struct RoundFigures {
  Index draws;       // rounds that were looked at: drawn, or the graphs of a whole period
  double connected;  // the share of them whose edges alone connect all clients
  // √λ₂(E[P_tᵀP_t]): at most this factor a round leaves of a disagreement, in the mean square. Only where
  // rounds are independent.
  std::optional<double> contraction;
};

// Which edges of a network's graph are up in a round. Rounds are numbered over the whole run, from 0. It is a
// pure function of the seed, so every process knows it without a message.
class NetworkChange {
 public:
  NetworkChange(Graph graph, bool lazy);
  virtual ~NetworkChange() = default;

  const Graph& graph() const { return graph_; }                  // of all edges that are ever up
  bool lazy() const { return lazy_; }                            // rounds mix with (I + P_t)/2
  std::span<const Graph::Edge> edges() const { return edges_; }  // a < b, ascending; a number is a place here
  Index number(int a, int b) const;                              // of the edge between them

  // Whether the edge is up in this round. It saves time to tell how it was in an earlier one.
  virtual bool up(Index edge, Tick round, Tick known = -1, bool then = true) const = 0;

  // Nothing where that would take long, or where there are more than 600 clients.
  const std::optional<RoundFigures>& figures() const;

 protected:
  friend std::optional<RoundFigures> figures_of(const NetworkChange& change);
  virtual Index period() const = 0;                         // different rounds; 0: by chance
  virtual bool independent() const = 0;                     // of each other
  virtual bool drawn_up(Index edge, Index draw) const = 0;  // in one of them, or in a round drawn by chance

 private:
  const Graph graph_;
  const bool lazy_;
  std::vector<Graph::Edge> edges_;
  mutable std::once_flag once_;
  mutable std::optional<RoundFigures> figures_;
};

// What network.change asks for, over this graph. Throws Error where it cannot be.
std::shared_ptr<const NetworkChange> make_links(const Graph& graph, const Settings& network,
                                                std::uint64_t seed);
std::shared_ptr<const NetworkChange> make_periodic(int clients, const Settings& network, std::uint64_t seed);

}  // namespace doc2s
