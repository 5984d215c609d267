#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "doc2s/base/types.hpp"
#include "doc2s/config/options.hpp"

namespace doc2s {

// An undirected simple graph of clients.
class Graph {
 public:
  using Edge = std::pair<int, int>;

  // An edge may be given twice or in both directions. Throws Error if it leaves 0..clients−1 or is a loop.
  Graph(int clients, const std::vector<Edge>& edges);

  int clients() const { return static_cast<int>(offsets_.size()) - 1; }
  Index edges() const { return static_cast<Index>(neighbours_.size()) / 2; }
  int degree(int client) const { return static_cast<int>(neighbours(client).size()); }
  std::span<const int> neighbours(int client) const;  // ascending, without the client itself
  bool has_edge(int a, int b) const;

  // Hops to every client by breadth-first search; −1 if more than `most`.
  std::vector<int> hops_from(int client, int most = std::numeric_limits<int>::max()) const;
  int components() const;
  bool connected() const;
  int diameter() const;            // requires a connected graph
  double reach(int rounds) const;  // mean share of clients within `rounds` hops, including the client itself

 private:
  std::vector<Index> offsets_;
  std::vector<int> neighbours_;
};

struct GraphKind : Kind {
  // The settings hold every option of the kind that has a default. The graph may be disconnected.
  std::function<Graph(int clients, const Settings& network, std::uint64_t seed)> make;
};

const std::vector<GraphKind>& graph_kinds();

// The connected graph named by network.graph. Throws Error if it cannot be made or is not connected.
Graph make_graph(int clients, const Settings& network, std::uint64_t seed);

}  // namespace doc2s
