// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/network/weights.hpp"

namespace doc2s {

// network.matrix: n rows of n numbers. Must be symmetric and doubly stochastic to 1e−9; is then made exactly
// symmetric.
Weights read_matrix(int clients, const Settings& network);

// The graph of positive off-diagonal weights.
Graph pattern_of(const Weights& P);

}  // namespace doc2s
