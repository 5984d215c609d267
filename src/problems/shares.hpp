// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <numeric>

#include "doc2s/base/rows.hpp"
#include "partition/partition.hpp"

namespace doc2s {

// Empties the shares of clients in other processes.
inline void drop_foreign(Shares& shares, ClientRange here) {
  for (int client = 0; client < std::ssize(shares); ++client)
    if (!here.contains(client)) shares[client] = {};
}

// first, …, first + count − 1.
inline std::vector<Index> rows_from(Index first, Index count) {
  std::vector<Index> rows(static_cast<std::size_t>(count));
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}

}  // namespace doc2s
