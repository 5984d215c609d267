// SPDX-License-Identifier: Apache-2.0
#include "doc2s/network/weights.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "checks.hpp"
#include "matrix_file.hpp"

namespace doc2s {

namespace {

Weights::Table joined_rows(const Weights::Rows& rows) {
  Weights::Table table;
  for (const auto& row : rows) {
    table.entries.insert(table.entries.end(), row.begin(), row.end());
    table.offsets.push_back(std::ssize(table.entries));
  }
  return table;
}

// A table with room for `entries`.
Weights::Table roomy_table(int clients, Index entries) {
  Weights::Table table;
  table.offsets.reserve(static_cast<std::size_t>(clients) + 1);
  table.entries.reserve(entries);
  return table;
}

}  // namespace

Weights::Weights(const Rows& rows) : Weights(of(joined_rows(rows))) {}

std::span<const Weights::Entry> Weights::row(int client) const {
  const auto& [offsets, entries] = *table_;
  return std::span(entries).subspan(offsets[client], offsets[client + 1] - offsets[client]);
}

double Weights::at(int row, int column) const {
  const auto entries = this->row(row);
  const auto found = std::lower_bound(entries.begin(), entries.end(), column,
                                      [](const Entry& entry, int client) { return entry.client < client; });
  return found != entries.end() && found->client == column ? found->weight : 0;
}

void Weights::multiply(std::span<const double> x, std::span<double> out) const {
  for (int i = 0; i < clients(); ++i) {
    double sum = 0;
    for (const auto& [client, weight] : row(i)) sum += weight * x[client];
    out[i] = sum;
  }
}

namespace {

// weight(i, j) on each edge, own(i, sum of the others) on the diagonal.
template <class OfEdge, class Own>
Weights weights_on(const Graph& graph, OfEdge weight, Own own) {
  Weights::Table table = roomy_table(graph.clients(), 2 * graph.edges() + graph.clients());
  auto& entries = table.entries;
  for (int i = 0; i < graph.clients(); ++i) {
    double others = 0;
    const auto near = graph.neighbours(i);
    const auto after = std::upper_bound(near.begin(), near.end(), i);
    const auto add = [&](int j) {
      entries.push_back({j, weight(i, j)});
      others += entries.back().weight;
    };
    std::for_each(near.begin(), after, add);
    const auto place = std::ssize(entries);
    entries.push_back({i, 0});
    std::for_each(after, near.end(), add);
    entries[place].weight = own(others);
    table.offsets.push_back(std::ssize(entries));
  }
  return Weights::of(std::move(table));
}

double what_is_left(double others) { return 1 - others; }

void check_regular(const Graph& graph, const Settings& network) {
  for (int i = 1; i < graph.clients(); ++i)
    if (graph.degree(i) != graph.degree(0))
      throw Error(
          fmt::format("uniform weights need the same number of neighbours everywhere, and client 0 has {}, "
                      "client {} has {}",
                      graph.degree(0), i, graph.degree(i)),
          network.where("weights"), "take network.weights = \"metropolis\"");
}

Weights uniform(const Graph& graph, const Settings& network) {
  check_regular(graph, network);
  const double share = 1.0 / (graph.degree(0) + 1);
  return weights_on(
      graph, [=](int, int) { return share; }, [=](double) { return share; });
}

Weights metropolis(const Graph& graph, const Settings&) {
  const auto weight = [&](int i, int j) { return 1.0 / (1 + std::max(graph.degree(i), graph.degree(j))); };
  return weights_on(graph, weight, what_is_left);
}

Weights max_degree(const Graph& graph, const Settings&) {
  int largest = 0;
  for (int i = 0; i < graph.clients(); ++i) largest = std::max(largest, graph.degree(i));
  return weights_on(
      graph, [=](int, int) { return 1.0 / (1 + largest); }, what_is_left);
}

}  // namespace

const std::vector<WeightsKind>& weights_kinds() {
  static const std::vector<WeightsKind> kinds = {
      {{"uniform", "1/(degree + 1) for the client itself and each neighbour; for regular graphs", {}},
       uniform},
      {{"metropolis", "1/(1 + the larger degree of the two) on each edge, the rest on the client itself", {}},
       metropolis},
      {{"max-degree", "1/(1 + the largest degree of all) on each edge, the rest on the client itself", {}},
       max_degree},
      {{"file",
        "a matrix: n rows of n numbers, symmetric, each row with the sum one",
        {text_option(
             "matrix", {},
             "path of the matrix, or its lines themselves: a row is n numbers, or column:weight where not 0")
             .as_path()}},
       [](const Graph& graph, const Settings& network) { return read_matrix(graph.clients(), network); }},
  };
  return kinds;
}

Weights lazy(const Weights& P) {
  Weights::Table table = roomy_table(P.clients(), P.entries());
  for (int i = 0; i < P.clients(); ++i) {
    for (const auto& [client, weight] : P.row(i))
      table.entries.push_back({client, client == i ? (1 + weight) / 2 : weight / 2});
    table.offsets.push_back(std::ssize(table.entries));
  }
  return Weights::of(std::move(table));
}

Weights finished_weights(Weights P, const Graph& graph, const Settings& network) {
  const bool from_file = network.text("weights") == "file";
  const std::string where = from_file ? network.text("matrix") : network.where("weights");
  if (network.flag("lazy")) P = lazy(P);
  check_doubly_stochastic(P, where);
  check_pattern(P, graph, where);
  return P;
}

Weights make_weights(const Graph& graph, const Settings& network) {
  const WeightsKind& chosen = kind_named(weights_kinds(), network, "weights");
  return finished_weights(chosen.make(graph, network), graph, network);
}

}  // namespace doc2s
