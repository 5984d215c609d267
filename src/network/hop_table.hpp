// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "doc2s/network/graph.hpp"

namespace doc2s {

// Hops from one client to all others, found when first asked for. Several threads may ask.
class HopTable {
 public:
  static constexpr int most_clients = 4096;  // all rows take at most 64 MB

  explicit HopTable(int clients) : clients_(clients) {}

  std::span<const int> row(const Graph& graph, int client);

 private:
  struct Row {
    std::once_flag once;
    std::vector<int> hops;
  };

  int clients_;
  std::once_flag once_;
  std::unique_ptr<Row[]> rows_;
};

}  // namespace doc2s
