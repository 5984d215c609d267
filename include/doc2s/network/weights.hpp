// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "doc2s/config/options.hpp"
#include "doc2s/network/graph.hpp"

namespace doc2s {

// The mixing matrix P, n×n, symmetric and doubly stochastic, in CSR form: columns ascend and include the
// diagonal. Copies share the numbers, which never change.
class Weights {
 public:
  struct Entry {
    int client;
    double weight;
  };
  using Rows = std::vector<std::vector<Entry>>;

  struct Table {
    std::vector<Index> offsets{0};
    std::vector<Entry> entries;
  };

  explicit Weights(const Rows& rows);  // each row ascending
  static Weights of(Table table) { return std::make_shared<const Table>(std::move(table)); }

  int clients() const { return static_cast<int>(table_->offsets.size()) - 1; }
  Index entries() const { return std::ssize(table_->entries); }
  std::span<const Entry> row(int client) const;
  double at(int row, int column) const;  // 0 if there is no entry
  void multiply(std::span<const double> x,
                std::span<double> out) const;  // out = P x, rows summed in ascending order

 private:
  Weights(std::shared_ptr<const Table> table) : table_(std::move(table)) {}

  std::shared_ptr<const Table> table_;
};

struct WeightsKind : Kind {
  std::function<Weights(const Graph& graph, const Settings& network)> make;
};

const std::vector<WeightsKind>& weights_kinds();

Weights lazy(const Weights& P);  // (I + P)/2

// The weights network.weights on the graph, made lazy if network.lazy is set. Throws Error if P is not
// symmetric, not doubly stochastic, negative, or not positive exactly on the edges and the diagonal.
Weights make_weights(const Graph& graph, const Settings& network);

}  // namespace doc2s
