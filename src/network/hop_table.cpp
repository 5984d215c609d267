// SPDX-License-Identifier: Apache-2.0
#include "hop_table.hpp"

namespace doc2s {

std::span<const int> HopTable::row(const Graph& graph, int client) {
  const int rows = clients_ <= most_clients ? clients_ : 1;
  std::call_once(once_, [&] { rows_ = std::make_unique<Row[]>(rows); });
  Row& row = rows_[client];
  std::call_once(row.once, [&] { row.hops = graph.hops_from(client); });
  return row.hops;
}

}  // namespace doc2s
