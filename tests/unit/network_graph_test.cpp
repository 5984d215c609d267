// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <set>

#include "network_helpers.hpp"

namespace doc2s::network_tests {
namespace {

Graph make(int clients, const std::string& graph, const std::vector<Given>& more = {},
           std::uint64_t seed = 1) {
  return make_graph(clients, graph_settings(graph, more), seed);
}

std::vector<int> neighbours(const Graph& graph, int client) {
  const auto near = graph.neighbours(client);
  return {near.begin(), near.end()};
}

std::set<Graph::Edge> edges(const Graph& graph) {
  std::set<Graph::Edge> all;
  for (int i = 0; i < graph.clients(); ++i)
    for (const int j : graph.neighbours(i)) all.emplace(i, j);
  return all;
}

TEST(NetworkGraph, keeps_each_edge_once_whatever_its_direction) {
  const Graph graph(4, {{1, 0}, {0, 1}, {2, 1}, {1, 2}, {3, 2}});
  EXPECT_EQ(graph.edges(), 3);
  EXPECT_EQ(neighbours(graph, 1), (std::vector<int>{0, 2}));
  EXPECT_TRUE(graph.has_edge(2, 3));
  EXPECT_FALSE(graph.has_edge(0, 3));
  EXPECT_EQ(graph.hops_from(0), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(graph.hops_from(0, 1), (std::vector<int>{0, 1, -1, -1}));
}

TEST(NetworkGraph, refuses_edges_that_leave_the_clients_and_loops) {
  expect_words(refusal([] { Graph(3, {{0, 3}}); }), {"0–3", "0 to 2"});
  expect_words(refusal([] { Graph(3, {{1, 1}}); }), {"client 1", "itself"});
}

TEST(NetworkGraph, components_are_counted) {
  EXPECT_EQ(Graph(5, {{0, 1}, {2, 3}}).components(), 3);
  EXPECT_FALSE(Graph(5, {{0, 1}, {2, 3}}).connected());
  EXPECT_EQ(Graph(3, {{0, 1}, {2, 1}}).components(), 1);
}

TEST(NetworkGraph, shapes_by_hand) {
  EXPECT_EQ(neighbours(make(6, "ring"), 0), (std::vector<int>{1, 5}));
  EXPECT_EQ(neighbours(make(9, "ring", {whole("neighbours", 5)}), 0), (std::vector<int>{1, 2, 7, 8}));
  EXPECT_EQ(make(7, "ring", {whole("neighbours", 7)}).edges(), 21);
  EXPECT_EQ(make(6, "complete").edges(), 15);
  EXPECT_EQ(make(6, "star").degree(0), 5);
  EXPECT_EQ(make(6, "star").degree(5), 1);
  EXPECT_EQ(neighbours(make(6, "path"), 2), (std::vector<int>{1, 3}));
  EXPECT_EQ(neighbours(make(12, "grid"), 5), (std::vector<int>{1, 4, 6, 9}));  // 3 rows of 4
  EXPECT_EQ(neighbours(make(12, "grid", {whole("rows", 2)}), 0), (std::vector<int>{1, 6}));
  EXPECT_EQ(neighbours(make(12, "torus"), 0), (std::vector<int>{1, 3, 4, 8}));
  EXPECT_EQ(make(4, "torus").degree(0), 2);  // 2×2: both ways round lead to the same client
  EXPECT_EQ(neighbours(make(8, "hypercube"), 5), (std::vector<int>{1, 4, 7}));
  EXPECT_EQ(neighbours(make(16, "exponential"), 0), (std::vector<int>{1, 2, 4, 8, 12, 14, 15}));
}

TEST(NetworkGraph, diameters) {
  EXPECT_EQ(make(16, "ring").diameter(), 8);
  EXPECT_EQ(make(16, "ring", {whole("neighbours", 5)}).diameter(), 4);
  EXPECT_EQ(make(9, "complete").diameter(), 1);
  EXPECT_EQ(make(9, "star").diameter(), 2);
  EXPECT_EQ(make(9, "path").diameter(), 8);
  EXPECT_EQ(make(12, "grid").diameter(), 5);
  EXPECT_EQ(make(16, "torus").diameter(), 4);
  EXPECT_EQ(make(32, "hypercube").diameter(), 5);
  EXPECT_EQ(make(1, "complete").diameter(), 0);
}

TEST(NetworkGraph, reach_of_rounds) {
  const Graph ring = make(16, "ring");
  EXPECT_DOUBLE_EQ(ring.reach(2), 5.0 / 16);
  EXPECT_DOUBLE_EQ(ring.reach(0), 1.0 / 16);
  EXPECT_DOUBLE_EQ(ring.reach(8), 1);
  EXPECT_DOUBLE_EQ(make(3, "path").reach(1), 7.0 / 9);
  EXPECT_DOUBLE_EQ(make(1, "complete").reach(1), 1);
}

TEST(NetworkGraph, a_single_client) {
  for (const char* kind : {"complete", "path", "star", "hypercube", "exponential", "erdos-renyi"})
    EXPECT_EQ(make(1, kind).edges(), 0) << kind;
  EXPECT_EQ(make(1, "ring", {whole("neighbours", 1)}).edges(), 0);
}

TEST(NetworkGraph, random_regular_graphs_are_regular_and_connected) {
  for (const auto& [n, degree] :
       {std::pair(2, 1), {5, 2}, {10, 3}, {16, 4}, {17, 16}, {16, 13}, {60, 7}, {301, 2}}) {
    const Graph graph = make(n, "regular", {whole("degree", degree)});
    for (int i = 0; i < n; ++i) ASSERT_EQ(graph.degree(i), degree) << n;
    EXPECT_TRUE(graph.connected());
  }
}

TEST(NetworkGraph, random_graphs_follow_the_seed) {
  for (const char* kind : {"regular", "erdos-renyi", "watts-strogatz"}) {
    EXPECT_EQ(edges(make(30, kind, {}, 7)), edges(make(30, kind, {}, 7))) << kind;
    EXPECT_NE(edges(make(30, kind, {}, 7)), edges(make(30, kind, {}, 8))) << kind;
  }
}

TEST(NetworkGraph, erdos_renyi_has_the_share_of_edges_asked_for) {
  const Index pairs = 300 * 299 / 2;
  const double deviation = std::sqrt(pairs * 0.1 * 0.9);
  EXPECT_NEAR(make(300, "erdos-renyi", {real("p", 0.1)}).edges(), 0.1 * pairs, 5 * deviation);
  EXPECT_EQ(make(20, "erdos-renyi", {real("p", 1)}).edges(), 190);
}

TEST(NetworkGraph, watts_strogatz_moves_ends_and_keeps_the_number_of_edges) {
  const Graph ring = make(40, "ring", {whole("neighbours", 5)});
  EXPECT_EQ(edges(make(40, "watts-strogatz", {real("beta", 0)})), edges(ring));
  const Graph moved = make(40, "watts-strogatz", {real("beta", 0.5)});
  EXPECT_EQ(moved.edges(), 80);
  EXPECT_NE(edges(moved), edges(ring));
  EXPECT_EQ(make(5, "watts-strogatz", {real("beta", 1)}).edges(), 10);  // complete: nowhere to move
}

TEST(NetworkGraph, an_edge_list_from_a_file) {
  const Folder folder;
  const auto path = folder.file("edges.txt", "# a path\n\n0 1\r\n1,2   # commas too\n 2\t3\n3, +2\n");
  const Graph graph = make(4, "file", {text("edges", path)});
  EXPECT_EQ(edges(graph), edges(make(4, "path")));
}

TEST(NetworkGraph, an_edge_list_in_the_config_itself) {
  EXPECT_EQ(edges(make(4, "file", {text("edges", "0 1\n1 2\n2 3\n")})), edges(make(4, "path")));
  EXPECT_EQ(make(1, "file", {text("edges", "# no edges\n")}).edges(), 0);
  expect_words(refusal([] { make(4, "file", {text("edges", "0 1\n1 9\n")}); }),
               {"network.edges:2", "client 9"});
  expect_words(refusal([] { make(4, "file", {text("edges", "0 1\n2 3\n")}); }),
               {"network.edges: the graph is not connected"});
}

TEST(NetworkGraph, refused_counts) {
  expect_words(refusal([] { make(0, "complete"); }), {"clients.count", "0 clients", "at least 1"});
  expect_words(refusal([] { make(-3, "ring"); }), {"-3"});
  expect_words(refusal([] { make(2, "ring", {whole("neighbours", 3)}); }),
               {"test.toml", "network.neighbours", "3", "2 clients", "complete"});
  expect_words(refusal([] { make(16, "ring", {whole("neighbours", 4)}); }), {"neighbours = 4", "odd"});
  expect_words(refusal([] { make(16, "ring", {whole("neighbours", 1)}); }), {"16 clients", "neighbours = 3"});
  expect_words(refusal([] { make(13, "grid"); }), {"13", "product", "14 clients", "path"});
  expect_words(refusal([] { make(3, "torus"); }), {"3", "torus", "4 clients", "ring"});
  expect_words(refusal([] { make(12, "grid", {whole("rows", 5)}); }),
               {"network.rows", "5 rows", "2, 3, 4, 6"});
  expect_words(refusal([] { make(12, "hypercube"); }), {"power of two", "12", "8 or 16"});
}

TEST(NetworkGraph, refused_random_graphs) {
  expect_words(refusal([] { make(4, "regular"); }), {"network.degree", "degree 4", "from 1 to 3"});
  expect_words(refusal([] { make(9, "regular", {whole("degree", 3)}); }), {"9 clients", "degree 3", "odd"});
  expect_words(refusal([] { make(8, "regular", {whole("degree", 1)}); }), {"pairs", "degree = 2"});
  expect_words(refusal([] { make(100, "erdos-renyi", {real("p", 0.001)}); }),
               {"network.p", "0.001", "connected", "ln n / n = 0.0461"});
  expect_words(refusal([] { make(16, "watts-strogatz", {whole("k", 3)}); }),
               {"network.k", "k = 3", "even", "14"});
  expect_words(refusal([] { make(4, "watts-strogatz"); }), {"k = 4", "4 clients", "from 2 to 2"});
}

TEST(NetworkGraph, refused_edge_lists) {
  const Folder folder;
  const auto with = [&](const std::string& content) {
    const auto path = folder.file("edges.txt", content);
    return refusal([&] { make(4, "file", {text("edges", path)}); });
  };
  expect_words(with("0 1\n1 2\n\n2 4\n"), {"edges.txt:4", "client 4", "0 to 3", "clients.count = 5"});
  expect_words(with("0 1\n-1 2\n"), {"edges.txt:2", "client -1"});
  expect_words(with("0 1\n1\n"), {"edges.txt:2", "two client numbers", "found 1"});
  expect_words(with("0 1 0.5\n"), {"edges.txt:1", "two client numbers, found 3"});
  expect_words(with("0 one\n"), {"edges.txt:1", "\"one\"", "whole number"});
  expect_words(with("0 1.5\n"), {"edges.txt:1", "1.5"});
  expect_words(with("0 99999999999999999999\n"), {"edges.txt:1", "whole number"});
  expect_words(with("2 2\n"), {"edges.txt:1", "client 2", "itself"});
  expect_words(with("0 1\n2 3\n"), {"edges.txt", "not connected", "2 components", "client 2", "add edges"});
  expect_words(with(""), {"4 components"});
  expect_words(refusal([&] { make(4, "file", {text("edges", folder.missing("none.txt"))}); }), {"none.txt"});
  expect_words(refusal([] { make(4, "file"); }), {"network.edges", "path of an edge list"});
}

TEST(NetworkGraph, a_misspelt_kind) {
  expect_words(refusal([] { make(4, "rign"); }), {"network.graph", "rign", "ring"});
}

TEST(NetworkGraph, refused_numbers_are_named) {
  expect_words(refusal([] { make(12, "hypercube"); }), {"12", "power of two", "8", "16"});
  expect_words(refusal([] { make(16, "ring", {whole("neighbours", 4)}); }), {"neighbours", "4", "odd"});
  expect_words(refusal([] { make(16, "ring", {whole("neighbours", 17)}); }), {"neighbours", "17"});
  expect_words(refusal([] { make(16, "ring", {whole("neighbours", 1)}); }), {"neighbours"});
  expect_words(refusal([] { make(1, "ring"); }), {"1 client", "neighbours"});
  expect_words(refusal([] { make(13, "torus"); }), {"13"});
  expect_words(refusal([] { make(16, "grid", {whole("rows", 5)}); }), {"rows", "5"});
  expect_words(refusal([] { make(15, "regular", {whole("degree", 5)}); }), {"degree", "15"});
  expect_words(refusal([] { make(16, "regular", {whole("degree", 16)}); }), {"degree", "16"});
  expect_words(refusal([] { make(16, "erdos-renyi", {real("p", 0.0001)}); }), {"0.0001"});
  expect_words(refusal([] { make(16, "watts-strogatz", {whole("k", 3)}); }), {"k", "3"});
}

TEST(NetworkGraph, refused_edge_lists_of_many_clients) {
  const Folder folder;
  const auto with = [&](const std::string& content) {
    const auto path = folder.file("edges.txt", content);
    return refusal([&] { make(16, "file", {text("edges", path)}); });
  };
  std::string path_of_15, ring;
  for (int i = 0; i < 14; ++i) path_of_15 += std::to_string(i) + " " + std::to_string(i + 1) + "\n";
  for (int i = 0; i < 16; ++i) ring += std::to_string(i) + " " + std::to_string((i + 1) % 16) + "\n";
  expect_words(with(path_of_15), {"edges.txt", "not connected", "15"});
  expect_words(with(""), {"edges.txt", "not connected"});
  expect_words(with(ring + "0 16\n"), {"edges.txt:17", "16"});
  expect_words(with("0 -1\n"), {"edges.txt:1", "-1"});
  expect_words(with("0 1\n1 one\n"), {"edges.txt:2", "one"});
  expect_words(with("0 1 2\n"), {"edges.txt:1"});
  expect_words(with("0\n"), {"edges.txt:1"});
  expect_words(with("3 3\n"), {"edges.txt:1", "3"});
  expect_words(with("0 1000000000000000000\n"), {"edges.txt", "there is no client 1000000000000000000"});
}

}  // namespace
}  // namespace doc2s::network_tests
