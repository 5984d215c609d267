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

  // `count` rounds of "chebyshev" (φ from the spectrum) or "plain" (φ = 0) gossip.
  Rounds rounds(const std::string& gossip, int count) const;

  // The same, but throws Error if ρ_R ≥ 1, with ρ_R and the remedies that work here.
  Rounds accepted_rounds(const std::string& gossip, int count, const std::string& where) const;
};

Network make_network(int clients, const Settings& network, std::uint64_t seed);

// Resolves settings that depend on others: the rows of a lattice, p of a random graph, and graph = "file"
// without edges if the weights come from a file and no graph is given (the pattern of the matrix is then the
// graph). make_network calls this itself. Call it before writing a config, so that the config reads back the
// same.
void settle_graph(Settings& network, int clients);

// Options that are not specific to one graph or one kind of weights: graph, weights, lazy.
std::vector<Option> network_options();

}  // namespace doc2s
