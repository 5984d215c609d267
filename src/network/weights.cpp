#include "doc2s/network/weights.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "checks.hpp"
#include "matrix_file.hpp"

namespace doc2s {

Weights::Weights(const Rows& rows) : offsets_{0} {
  for (const auto& row : rows) {
    entries_.insert(entries_.end(), row.begin(), row.end());
    offsets_.push_back(std::ssize(entries_));
  }
}

std::span<const Weights::Entry> Weights::row(int client) const {
  return std::span(entries_).subspan(offsets_[client], offsets_[client + 1] - offsets_[client]);
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
  Weights::Rows rows(graph.clients());
  for (int i = 0; i < graph.clients(); ++i) {
    double others = 0;
    auto& row = rows[i];
    for (const int j : graph.neighbours(i)) {
      row.push_back({j, weight(i, j)});
      others += row.back().weight;
    }
    const auto place =
        std::find_if(row.begin(), row.end(), [i](const auto& entry) { return entry.client > i; });
    row.insert(place, {i, own(others)});
  }
  return Weights(rows);
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
        {text_option("matrix", {}, "path of the matrix, one row per line").as_path()}},
       [](const Graph& graph, const Settings& network) { return read_matrix(graph.clients(), network); }},
  };
  return kinds;
}

Weights lazy(const Weights& P) {
  Weights::Rows rows(P.clients());
  for (int i = 0; i < P.clients(); ++i)
    for (const auto& [client, weight] : P.row(i))
      rows[i].push_back({client, client == i ? (1 + weight) / 2 : weight / 2});
  return Weights(rows);
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
