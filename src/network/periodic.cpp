// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "change.hpp"
#include "checks.hpp"

namespace doc2s {

namespace {

Graph union_of(int clients, const std::vector<Graph>& graphs) {
  std::vector<Graph::Edge> edges;
  for (const Graph& graph : graphs)
    for (int a = 0; a < clients; ++a)
      for (const int b : graph.neighbours(a))
        if (a < b) edges.emplace_back(a, b);
  return {clients, edges};
}

// Each of the graphs in turn for `every` rounds.
class Periodic : public NetworkChange {
 public:
  Periodic(int clients, std::vector<Graph> graphs, const Settings& network)
      : NetworkChange(union_of(clients, graphs), network.flag("lazy")),
        graphs_(std::move(graphs)),
        every_(network.integer("every")) {}

  bool up(Index edge, Tick round, Tick, bool) const override { return drawn_up(edge, round / every_); }

 protected:
  Index period() const override { return std::ssize(graphs_); }
  bool independent() const override { return false; }
  bool drawn_up(Index edge, Index draw) const override {
    const auto [a, b] = edges()[edge];
    return graphs_[draw % period()].has_edge(a, b);
  }

 private:
  const std::vector<Graph> graphs_;
  const Tick every_;
};

// The same random graph a second time has another seed.
std::vector<Graph> listed_graphs(int clients, const Settings& network, std::uint64_t seed) {
  std::vector<Graph> graphs;
  for (const std::string& name : names_in(network.text("graphs"))) {
    Settings one = network;
    one.set("graph", name, network.given("graphs") ? network.where("graphs") : "");
    const auto place = static_cast<std::uint64_t>(graphs.size());
    check_graph(clients, one);
    graphs.push_back(kind_named(graph_kinds(), one, "graph").make(clients, one, seed + (place << 32)));
  }
  return graphs;
}

}  // namespace

std::shared_ptr<const NetworkChange> make_periodic(int clients, const Settings& network, std::uint64_t seed) {
  check_clients(clients);
  if (!network.has("graphs"))
    throw Error("change = \"periodic\" needs the graphs that take turns", network.where("change"),
                "give network.graphs, for example [\"ring\", \"star\"]");
  auto change = std::make_shared<Periodic>(clients, listed_graphs(clients, network, seed), network);
  check_connected(change->graph(), network.where("graphs"));
  return change;
}

}  // namespace doc2s
