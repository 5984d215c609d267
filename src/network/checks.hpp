#pragma once
#include <string>
#include <vector>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/network/weights.hpp"

namespace doc2s {

// Each throws Error with the offending value.
void check_clients(int clients);  // n ≥ 1
void check_connected(const Graph& graph, const std::string& where);
void check_doubly_stochastic(const Weights& P,
                             const std::string& where);  // symmetric, row sums 1, non-negative
void check_pattern(const Weights& P, const Graph& graph,
                   const std::string& where);  // positive on edges and diagonal

constexpr double weights_tolerance = 1e-9;

}  // namespace doc2s
