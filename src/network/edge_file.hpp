#pragma once
#include "doc2s/network/graph.hpp"

namespace doc2s {

// network.edges: two 0-based client numbers per line.
Graph edge_file_graph(int clients, const Settings& network);

}  // namespace doc2s
