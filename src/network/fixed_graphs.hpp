#pragma once
#include "doc2s/network/graph.hpp"

namespace doc2s {

// Deterministic graphs from the section `network`. All throw Error if the number of clients does not fit.
Graph ring_graph(int clients, const Settings& network);
Graph complete_graph(int clients);
Graph star_graph(int clients);
Graph path_graph(int clients);
Graph lattice_graph(int clients, const Settings& network, bool wrapped);  // grid, or torus if wrapped
Graph hypercube_graph(int clients, const Settings& network);
Graph exponential_graph(int clients);

std::vector<int> lattice_rows(int clients);  // divisors ≥ 2 that leave at least 2 columns
int squarest(const std::vector<int>& rows, int clients);

}  // namespace doc2s
