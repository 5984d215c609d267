// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "doc2s/config/config.hpp"
#include "doc2s/network/graph.hpp"
#include "doc2s/network/spectrum.hpp"
#include "doc2s/network/weights.hpp"

namespace doc2s {

class NetworkChange;

struct Network {
  Graph graph;  // of a network that changes: every edge that is ever up; so P and spectrum
  Weights P;
  Spectrum spectrum;
  std::shared_ptr<const NetworkChange> change = {};  // none: P in every round

  int clients() const { return graph.clients(); }

  // `count` rounds of gossip of one of the kinds: "chebyshev" (φ from the spectrum), "chebyshev-interval" or
  // "plain" (φ = 0).
  Rounds rounds(const std::string& gossip, int count) const;

  // The same, but throws Error if ρ_R ≥ 1, with ρ_R and the remedies that work here. Where the network
  // changes, all rounds are plain, and there is no ρ_R.
  Rounds accepted_rounds(const std::string& gossip, int count, const std::string& where) const;
};

std::vector<std::string> gossip_kinds();

Network make_network(int clients, const Settings& network, std::uint64_t seed);
Network make_network(const Config& config);
void check_network(const Config& config);  // check_graph, unless a matrix is the graph

// The options that do not belong to one graph or one kind of weights: graph, weights, lazy, and what changes.
// Where the weights come from a file and no graph is given, graph is "file": without edges, the matrix's own
// pattern.
std::vector<Option> network_options();

}  // namespace doc2s
