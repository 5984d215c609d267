#pragma once
#include "doc2s/network/weights.hpp"

namespace doc2s {

// network.matrix: n rows of n numbers. Symmetric and doubly stochastic to 1e−9 or refused; then made exactly
// symmetric.
Weights read_matrix(int clients, const Settings& network);

// Who has a positive weight for whom.
Graph pattern_of(const Weights& P);

}  // namespace doc2s
