#pragma once
#include "doc2s/network/weights.hpp"

namespace doc2s {

// Makes P lazy if network.lazy is set, and checks it against the graph.
Weights finished_weights(Weights P, const Graph& graph, const Settings& network);

}  // namespace doc2s
