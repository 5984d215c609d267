// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/network/graph.hpp"

namespace doc2s {

// Each throws Error if the number of clients does not fit, and returns about how many edges there will be.
double checked_ring(int clients, const Settings& network);
double checked_lattice(int clients, const Settings& network);
double checked_hypercube(int clients, const Settings& network);
double checked_regular(int clients, const Settings& network);
double checked_watts_strogatz(int clients, const Settings& network);

// Deterministic graphs from the section `network`, for numbers of clients that fit.
Graph ring_graph(int clients, const Settings& network);
Graph complete_graph(int clients);
Graph star_graph(int clients);
Graph path_graph(int clients);
Graph lattice_graph(int clients, const Settings& network, bool wrapped);  // grid, or torus if wrapped
Graph hypercube_graph(int clients);
Graph exponential_graph(int clients);

std::vector<int> lattice_rows(int clients);  // divisors ≥ 2 that leave at least 2 columns
int squarest(const std::vector<int>& rows, int clients);

// Random graphs, drawn until one is connected; draw number a uses Random(seed, Purpose::graph, 0, a).
Graph random_regular_graph(int clients, const Settings& network, std::uint64_t seed);
Graph erdos_renyi_graph(int clients, const Settings& network, std::uint64_t seed);
Graph watts_strogatz_graph(int clients, const Settings& network, std::uint64_t seed);

double likely_connected(int clients);  // p = 2 ln n / n

// network.edges: two 0-based client numbers per line.
Graph edge_file_graph(int clients, const Settings& network);

}  // namespace doc2s
