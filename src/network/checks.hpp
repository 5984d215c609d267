// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "doc2s/base/error.hpp"
#include "doc2s/network/weights.hpp"

namespace doc2s {

// Each throws Error with the offending value.
void check_clients(int clients);  // n ≥ 1
void check_connected(const Graph& graph, const std::string& where);
// Symmetric, row sums 1, non-negative.
void check_doubly_stochastic(const Weights& P, const std::string& where);
// Positive exactly on edges and diagonal.
void check_pattern(const Weights& P, const Graph& graph, const std::string& where);

constexpr double weights_tolerance = 1e-9;

// Makes P lazy if network.lazy is set, and checks it against the graph.
Weights finished_weights(Weights P, const Graph& graph, const Settings& network);

}  // namespace doc2s
