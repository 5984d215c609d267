#pragma once
#include "doc2s/network/graph.hpp"

namespace doc2s {

// Graphs without chance: clients, settings of the section `network` → graph. All throw Error where the count
// of clients does not fit.
Graph ring_graph(int clients, const Settings& network);
Graph complete_graph(int clients);
Graph star_graph(int clients);
Graph path_graph(int clients);
Graph lattice_graph(int clients, const Settings& network, bool wrapped);  // grid, or torus where wrapped
Graph hypercube_graph(int clients, const Settings& network);
Graph exponential_graph(int clients);

std::vector<int> lattice_rows(int clients);  // numbers of at least 2 that leave at least 2 columns
int squarest(const std::vector<int>& rows, int clients);

}  // namespace doc2s
