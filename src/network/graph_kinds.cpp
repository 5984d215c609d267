// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "base/machine_memory.hpp"
#include "checks.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/config/config.hpp"
#include "doc2s/network/graph.hpp"
#include "graph_makers.hpp"
#include "text_table.hpp"

namespace doc2s {

namespace {

using Seed = std::uint64_t;

using CheckedEdges = std::function<double(int, const Settings&)>;

GraphKind kind(std::string name, std::string summary, std::vector<Option> options,
               std::function<Graph(int, const Settings&, Seed)> make, CheckedEdges edges) {
  return {{std::move(name), std::move(summary), std::move(options)}, std::move(make), std::move(edges)};
}

// For any number of clients.
template <class Edges>
CheckedEdges always(Edges edges) {
  return [=](int clients, const Settings&) { return edges(static_cast<double>(clients)); };
}

double one_each(double n) { return n; }

int clients_of(const Config& config) { return static_cast<int>(config.clients.integer("count")); }

std::optional<Value> squarest_rows(const Config& config) {
  const std::vector<int> rows = lattice_rows(clients_of(config));
  if (rows.empty()) return {};
  return Index{squarest(rows, clients_of(config))};
}

GraphKind lattice(std::string name, std::string summary, bool wrapped) {
  return kind(
      std::move(name), std::move(summary),
      {integer_option("rows", {}, "rows of the lattice; absent: the divisor of n nearest below √n")
           .at_least(2)
           .derived_by(squarest_rows)},
      [wrapped](int n, const Settings& s, Seed) { return lattice_graph(n, s, wrapped); }, checked_lattice);
}

std::vector<GraphKind> fixed_kinds() {
  return {
      kind(
          "ring", "each client with the nearest on either side",
          {integer_option("neighbours", 3, "neighbours including the client itself; odd").at_least(1)},
          [](int n, const Settings& s, Seed) { return ring_graph(n, s); }, checked_ring),
      kind(
          "complete", "everyone with everyone", {},
          [](int n, const Settings&, Seed) { return complete_graph(n); },
          always([](double n) { return n * (n - 1) / 2; })),
      kind(
          "star", "client 0 with everyone", {}, [](int n, const Settings&, Seed) { return star_graph(n); },
          always(one_each)),
      kind(
          "path", "a line of clients", {}, [](int n, const Settings&, Seed) { return path_graph(n); },
          always(one_each)),
      lattice("grid", "rows and columns, four neighbours inside", false),
      lattice("torus", "a grid whose opposite sides are joined", true),
      kind(
          "hypercube", "numbers that differ in one bit; n is a power of two", {},
          [](int n, const Settings&, Seed) { return hypercube_graph(n); }, checked_hypercube),
      kind(
          "exponential", "i with i ± 2^k modulo n", {},
          [](int n, const Settings&, Seed) { return exponential_graph(n); },
          always([](double n) { return n * std::log2(n); })),
  };
}

std::vector<GraphKind> random_kinds() {
  return {
      kind("regular", "random, every client with the same number of neighbours",
           {integer_option("degree", 4, "neighbours of each client, not counting itself; n·degree is even")
                .at_least(1)},
           random_regular_graph, checked_regular),
      kind("erdos-renyi", "random, each edge with probability p, drawn until connected",
           {real_option("p", {}, "probability of an edge; absent: 2 ln n / n")
                .above(0)
                .at_most(1)
                .derived_by([](const Config& config) { return likely_connected(clients_of(config)); })},
           erdos_renyi_graph,
           [](int n, const Settings& network) {
             return 0.5 * n * n * (network.has("p") ? network.real("p") : likely_connected(n));
           }),
      kind(
          "watts-strogatz", "a ring with some ends moved at random, drawn until connected",
          {integer_option("k", 4, "neighbours on the ring, not counting the client itself; even").at_least(2),
           real_option("beta", 0.1, "probability that an edge's end is moved").at_least(0).at_most(1)},
          watts_strogatz_graph, checked_watts_strogatz),
  };
}

std::vector<GraphKind> all_kinds() {
  auto kinds = fixed_kinds();
  for (auto& random : random_kinds()) kinds.push_back(std::move(random));
  kinds.push_back(kind(
      "file", "an edge list: two client numbers, from 0, per line",
      {text_option("edges", {},
                   "path of the edge list, or its lines themselves; absent: the pattern of network.matrix")
           .as_path()},
      [](int n, const Settings& s, Seed) { return edge_file_graph(n, s); }, always(one_each)));
  return kinds;
}

}  // namespace

const std::vector<GraphKind>& graph_kinds() {
  static const std::vector<GraphKind> kinds = all_kinds();
  return kinds;
}

// An edge is held once in the maker's list, twice in the graph (4 bytes each) and in P (16 bytes each).
void check_graph(int clients, const Settings& network) {
  constexpr double bytes_an_edge = 48;
  check_clients(clients);
  const double edges = kind_named(graph_kinds(), network, "graph").checked_edges(clients, network);
  require_memory(bytes_an_edge * edges, fmt::format("the {:.3g} edges of {} clients", edges, clients),
                 network.where("graph"), "take fewer clients or a graph with fewer edges");
}

Graph make_graph(int clients, const Settings& network, std::uint64_t seed) {
  check_graph(clients, network);
  const GraphKind& chosen = kind_named(graph_kinds(), network, "graph");
  Graph graph = chosen.make(clients, network, seed);
  check_connected(graph, chosen.name == "file" ? table_name(network, "edges") : network.where("graph"));
  return graph;
}

}  // namespace doc2s
