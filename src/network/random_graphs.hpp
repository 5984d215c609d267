#pragma once
#include "doc2s/network/graph.hpp"

namespace doc2s {

// Graphs drawn until one is connected; draw number a uses Random(seed, Purpose::graph, 0, a).
Graph random_regular_graph(int clients, const Settings& network, std::uint64_t seed);
Graph erdos_renyi_graph(int clients, const Settings& network, std::uint64_t seed);
Graph watts_strogatz_graph(int clients, const Settings& network, std::uint64_t seed);

double likely_connected(int clients);  // p = 2 ln n / n

}  // namespace doc2s
