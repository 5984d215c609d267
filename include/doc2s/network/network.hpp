#pragma once
#include <string>
#include <vector>

#include "doc2s/config/config.hpp"
#include "doc2s/network/graph.hpp"
#include "doc2s/network/spectrum.hpp"
#include "doc2s/network/weights.hpp"

namespace doc2s {

struct Network {
  Graph graph;
  Weights P;
  Spectrum spectrum;

  int clients() const { return graph.clients(); }

  // `count` rounds of "chebyshev" (φ from the spectrum) or "plain" (φ = 0) gossip.
  Rounds rounds(const std::string& gossip, int count) const;

  // The same, but throws Error if ρ_R ≥ 1, with ρ_R and the remedies that work here.
  Rounds accepted_rounds(const std::string& gossip, int count, const std::string& where) const;
};

Network make_network(int clients, const Settings& network, std::uint64_t seed);
Network make_network(const Config& config);

// The options that do not belong to one graph or one kind of weights: graph, weights, lazy. Where the weights
// come from a file and no graph is given, graph is "file": without edges, the matrix's own pattern.
std::vector<Option> network_options();

}  // namespace doc2s
