// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "doc2s/base/types.hpp"
#include "doc2s/config/options.hpp"
#include "doc2s/network/shape.hpp"

namespace doc2s {

class HopTable;

// An undirected simple graph of clients.
class Graph {
 public:
  using Edge = std::pair<int, int>;

  // An edge may be given twice or in both directions. Throws Error if it leaves 0..clients−1 or is a loop.
  Graph(int clients, const std::vector<Edge>& edges, Shape shape = {});

  int clients() const { return static_cast<int>(offsets_.size()) - 1; }
  Index edges() const { return static_cast<Index>(neighbours_.size()) / 2; }
  int degree(int client) const { return static_cast<int>(neighbours(client).size()); }
  std::span<const int> neighbours(int client) const;  // ascending, without the client itself
  bool has_edge(int a, int b) const;
  const Shape& shape() const { return shape_; }

  // Hops from a to b, −1 if there is no way. From the shape where it is known, else from a table up to 4096
  // clients, else by a search from both ends.
  int hops(int a, int b) const;
  // Hops to every client by breadth-first search; −1 if more than `most`.
  std::vector<int> hops_from(int client, int most = std::numeric_limits<int>::max()) const;
  int components() const;
  bool connected() const;
  int depth() const;               // the most hops from client 0; requires a connected graph
  int diameter() const;            // the most hops between any two; requires a connected graph
  double reach(int rounds) const;  // mean share of clients within `rounds` hops, including the client itself

 private:
  void drop_duplicates();

  std::vector<Index> offsets_;
  std::vector<int> neighbours_;
  Shape shape_;
  std::shared_ptr<HopTable> table_;  // filled as it is asked for; copies of a graph share it
};

struct GraphKind : Kind {
  // The settings hold every option of the kind that has a default. The graph may be disconnected.
  std::function<Graph(int clients, const Settings& network, std::uint64_t seed)> make;
  // Throws Error if the clients do not fit; about how many edges there will be. Both in no time.
  std::function<double(int clients, const Settings& network)> checked_edges;
};

const std::vector<GraphKind>& graph_kinds();

// What can be told without making it: throws Error where the clients do not fit the graph that network.graph
// names, or where it needs more memory than is free.
void check_graph(int clients, const Settings& network);

// The connected graph named by network.graph. Throws Error if it cannot be made or is not connected.
Graph make_graph(int clients, const Settings& network, std::uint64_t seed);

}  // namespace doc2s
