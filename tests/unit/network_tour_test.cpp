// SPDX-License-Identifier: Apache-2.0
// Also under the thread sanitizer.
#include <algorithm>
#include <optional>
#include <thread>

#include "network/tour.hpp"
#include "network_helpers.hpp"

namespace doc2s::network_tests {
namespace {

struct Named {
  std::string name;
  Graph graph;
};

// The graph, if the kind exists for so many clients.
std::optional<Graph> possible(int clients, const std::string& kind, const std::vector<Given>& more = {}) {
  try {
    return make_graph(clients, graph_settings(kind, more), 1);
  } catch (const Error&) {
    return {};
  }
}

void add(std::vector<Named>& graphs, int clients, const std::string& kind,
         const std::vector<Given>& more = {}) {
  if (auto graph = possible(clients, kind, more))
    graphs.push_back({kind + " of " + std::to_string(clients), *std::move(graph)});
}

void add_lattices(std::vector<Named>& graphs, int clients) {
  for (int rows = 2; rows <= clients / 2; ++rows)
    for (const char* kind : {"grid", "torus"})
      if (clients % rows == 0) add(graphs, clients, kind, {whole("rows", rows)});
}

std::vector<Named> graphs_of(int clients) {
  std::vector<Named> graphs;
  for (const char* kind :
       {"complete", "star", "path", "hypercube", "exponential", "regular", "erdos-renyi", "watts-strogatz"})
    add(graphs, clients, kind);
  for (int neighbours = 1; neighbours <= std::min(clients, 11); neighbours += 2)
    add(graphs, clients, "ring", {whole("neighbours", neighbours)});
  add_lattices(graphs, clients);
  return graphs;
}

template <class Check>
void on_many_graphs(Check check) {
  for (const int clients :
       {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 17, 21, 25, 30, 32, 45, 49, 60, 63, 64, 105, 128})
    for (const auto& [name, graph] : graphs_of(clients)) {
      SCOPED_TRACE(name);
      check(graph);
    }
}

TEST(NetworkTour, hops_are_those_of_a_search) {
  on_many_graphs([](const Graph& graph) {
    for (int a = 0; a < graph.clients(); ++a) {
      const auto searched = graph.hops_from(a);
      for (int b = 0; b < graph.clients(); ++b) ASSERT_EQ(graph.hops(a, b), searched[b]) << a << " to " << b;
    }
  });
}

TEST(NetworkTour, depth_diameter_and_reach_are_those_of_a_search) {
  on_many_graphs([](const Graph& graph) {
    std::vector<Index> within(graph.clients() + 2, 0);
    int longest = 0;
    for (int a = 0; a < graph.clients(); ++a)
      for (const int hops : graph.hops_from(a)) {
        longest = std::max(longest, hops);
        for (int r = hops; r < std::ssize(within); ++r) ++within[r];
      }
    const auto from_0 = graph.hops_from(0);
    EXPECT_EQ(graph.depth(), *std::max_element(from_0.begin(), from_0.end()));
    EXPECT_EQ(graph.diameter(), longest);
    const double n = graph.clients();
    for (int r = 0; r < std::ssize(within); ++r)
      ASSERT_EQ(graph.reach(r), static_cast<double>(within[r]) / (n * n)) << r << " rounds";
    EXPECT_EQ(graph.reach(1 << 30), 1);
  });
}

// Beyond 4096 clients without a shape: the search from both ends, a copy of the edges without their shape.
Graph without_shape(const Graph& graph) {
  std::vector<Graph::Edge> edges;
  for (int i = 0; i < graph.clients(); ++i)
    for (const int j : graph.neighbours(i)) edges.emplace_back(i, j);
  return {graph.clients(), edges};
}

TEST(NetworkTour, hops_of_many_clients) {
  for (const char* kind : {"torus", "hypercube", "exponential", "path", "regular", "ring"}) {
    const Graph graph = make_graph(8192, graph_settings(kind), 1), bare = without_shape(graph);
    for (const int a : {0, 17, 4096, 8191}) {
      const auto searched = graph.hops_from(a);
      for (int b = 0; b < graph.clients(); b += 401) {
        ASSERT_EQ(graph.hops(a, b), searched[b]) << kind;
        ASSERT_EQ(bare.hops(a, b), searched[b]) << kind;
      }
    }
  }
  const Graph apart(5000, {{0, 1}});
  EXPECT_EQ(apart.hops(0, 2), -1);
  EXPECT_EQ(apart.hops(0, 1), 1);
}

TEST(NetworkTour, several_threads_may_ask_for_hops) {
  const Graph graph = make_graph(200, graph_settings("regular"), 1);
  std::vector<Index> sums(4, 0);
  {
    std::vector<std::jthread> threads;
    for (Index& sum : sums)
      threads.emplace_back([&] {
        for (int a = 0; a < 200; ++a)
          for (int b = 0; b < 200; ++b) sum += graph.hops(a, b);
      });
  }
  EXPECT_EQ(sums, std::vector<Index>(4, sums[0]));
}

Index checked_turn(const Graph& graph) {
  const Tour tour(graph);
  std::vector<bool> seen(graph.clients(), false);
  Index hops = 0;
  int client = 0;
  for (int step = 0; step < graph.clients(); ++step) {
    EXPECT_FALSE(seen[client]) << client;
    seen[client] = true;
    const int next = tour.next(client);
    EXPECT_EQ(tour.hops(client), graph.hops_from(client)[next]);
    EXPECT_TRUE(!tour.is_cycle() || graph.clients() == 1 || graph.has_edge(client, next))
        << client << "–" << next;
    hops += tour.hops(client);
    client = next;
  }
  EXPECT_EQ(client, 0);
  return hops;
}

bool has_known_cycle(const Shape& shape) {
  if (shape.kind == Shape::Kind::grid) return shape.clients % 2 == 0;
  return shape.kind != Shape::Kind::none && shape.kind != Shape::Kind::star &&
         shape.kind != Shape::Kind::path;
}

TEST(NetworkTour, visits_each_client_once_a_turn) {
  on_many_graphs([](const Graph& graph) {
    const Index n = graph.clients(), hops = checked_turn(graph);
    EXPECT_EQ(Tour(graph).is_cycle(), has_known_cycle(graph.shape()));
    if (n == 1) {
      EXPECT_EQ(hops, 0);
    } else if (has_known_cycle(graph.shape())) {
      EXPECT_EQ(hops, n);
    } else {
      EXPECT_LE(hops, 2 * (n - 1));
    }
  });
}

TEST(NetworkTour, odd_tori_of_all_proportions) {
  for (int rows = 2; rows <= 13; ++rows)
    for (int columns = 2; columns <= 13; ++columns)
      EXPECT_EQ(checked_turn(make_graph(rows * columns, graph_settings("torus", {whole("rows", rows)}), 1)),
                rows * columns)
          << rows << "×" << columns;
}

TEST(NetworkTour, a_tree_is_walked_in_preorder) {
  // 0 has the children 1 and 2; 1 has 3 and 4; 2 has 5. The chord makes the way from 4 to 2 shorter.
  const Graph tree(6, {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}}),
      chord(6, {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}, {4, 2}});
  std::vector<int> order;
  for (int client = 0, k = 0; k < 6; ++k, client = Tour(tree).next(client)) order.push_back(client);
  EXPECT_EQ(order, (std::vector<int>{0, 1, 3, 4, 2, 5}));
  EXPECT_EQ(checked_turn(tree), 10);
  EXPECT_EQ(checked_turn(chord), 8);
  EXPECT_EQ(BreadthFirstTree(tree).depth, 2);
  EXPECT_EQ(BreadthFirstTree(tree).edges, 5);
}

}  // namespace
}  // namespace doc2s::network_tests
