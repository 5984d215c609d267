#pragma once
#include <string>
#include <vector>

#include "doc2s/network/graph.hpp"
#include "doc2s/network/spectrum.hpp"
#include "doc2s/network/weights.hpp"

namespace doc2s {

struct Network {
  Graph graph;
  Weights P;
  Spectrum spectrum;

  int clients() const { return graph.clients(); }

  // `count` rounds of "chebyshev" (φ of the spectrum) or "plain" (φ = 0) gossip.
  Rounds rounds(const std::string& gossip, int count) const;

  // The same, refused with an Error where ρ_R ≥ 1: it gives ρ_R and those ways out that help here.
  Rounds accepted_rounds(const std::string& gossip, int count, const std::string& where) const;
};

Network make_network(int clients, const Settings& network, std::uint64_t seed);

// Sets what was left open and the rest decides: the rows of a lattice, p of a random graph, and graph =
// "file" without edges where the weights come from a file and no graph was asked for (the matrix's own
// pattern is the graph then). make_network does this by itself; a config to be written needs it first, to be
// read back the same.
void settle_graph(Settings& network, int clients);

// The options that do not belong to one graph or one kind of weights: graph, weights, lazy.
std::vector<Option> network_options();

}  // namespace doc2s
