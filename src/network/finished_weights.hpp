#pragma once
#include "doc2s/network/weights.hpp"

namespace doc2s {

// What a kind of weights made, lazy where network.lazy asks for it, and checked against the graph.
Weights finished_weights(Weights P, const Graph& graph, const Settings& network);

}  // namespace doc2s
