// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "network_helpers.hpp"

namespace doc2s::network_tests {
namespace {

void expect_mixing_matrix(const Weights& P, const Graph& graph) {
  ASSERT_EQ(P.clients(), graph.clients());
  for (int i = 0; i < P.clients(); ++i) {
    double sum = 0;
    int before = -1;
    ASSERT_EQ(std::ssize(P.row(i)), graph.degree(i) + 1);
    for (const auto& [client, weight] : P.row(i)) {
      EXPECT_GT(client, before);
      before = client;
      EXPECT_TRUE(client == i || graph.has_edge(i, client));
      EXPECT_GT(weight, 0);
      EXPECT_EQ(weight, P.at(client, i));  // to the bit
      sum += weight;
    }
    EXPECT_NEAR(sum, 1, 1e-14 * P.clients());
  }
}

bool regular(const Graph& graph) {
  for (int i = 0; i < graph.clients(); ++i)
    if (graph.degree(i) != graph.degree(0)) return false;
  return true;
}

// Every kind of graph but the file on n clients, where it can be had.
void each_graph(int n, const std::function<void(const std::string&, const Graph&)>& f) {
  for (const auto& kind : graph_kinds()) {
    if (kind.name == "file") continue;
    try {
      f(kind.name, make_graph(n, graph_settings(kind.name), 3));
    } catch (const Error&) {
    }
  }
}

TEST(NetworkWeights, every_kind_on_every_graph_is_a_mixing_matrix) {
  int tried = 0;
  for (const int n : {1, 2, 4, 5, 9, 16, 24, 64})
    each_graph(n, [&](const std::string& name, const Graph& graph) {
      for (const char* kind : {"uniform", "metropolis", "max-degree"})
        for (const bool lazily : {false, true}) {
          if (kind == std::string("uniform") && !regular(graph)) continue;
          SCOPED_TRACE(name + " of " + std::to_string(n) + ", " + kind + (lazily ? ", lazy" : ""));
          expect_mixing_matrix(
              make_weights(graph, settings({text("weights", kind), {"lazy", Value(lazily)}})), graph);
          ++tried;
        }
    });
  EXPECT_GT(tried, 300);
}

TEST(NetworkWeights, figures_by_hand) {
  const Graph star = make_graph(4, graph_settings("star"), 1);
  const Weights metropolis = make_weights(star, settings({text("weights", "metropolis")}));
  EXPECT_DOUBLE_EQ(metropolis.at(0, 2), 0.25);
  EXPECT_DOUBLE_EQ(metropolis.at(0, 0), 0.25);
  EXPECT_DOUBLE_EQ(metropolis.at(2, 2), 0.75);
  EXPECT_EQ(metropolis.at(1, 2), 0);
  const Graph path = make_graph(4, graph_settings("path"), 1);
  EXPECT_DOUBLE_EQ(make_weights(path, settings({text("weights", "max-degree"), lazily()})).at(0, 1), 1.0 / 6);
  const Graph ring = make_graph(5, graph_settings("ring"), 1);
  EXPECT_EQ(make_weights(ring, settings({text("weights", "uniform")})).at(0, 0), 1.0 / 3);
  EXPECT_DOUBLE_EQ(make_weights(ring, settings({})).at(0, 0), 1.0 / 3);  // metropolis is uniform here
  EXPECT_DOUBLE_EQ(make_weights(ring, settings({lazily()})).at(0, 0), 2.0 / 3);
}

TEST(NetworkWeights, multiply) {
  const Graph path = make_graph(3, graph_settings("path"), 1);
  const Weights P = make_weights(path, settings({text("weights", "metropolis")}));
  const std::vector<double> x{3, 0, 6};
  std::vector<double> out(3);
  P.multiply(x, out);
  EXPECT_DOUBLE_EQ(out[0], 2);
  EXPECT_DOUBLE_EQ(out[1], 3);
  EXPECT_DOUBLE_EQ(out[2], 4);
}

TEST(NetworkWeights, uniform_needs_a_regular_graph) {
  const Graph star = make_graph(5, graph_settings("star"), 1);
  expect_words(refusal([&] { make_weights(star, settings({text("weights", "uniform")})); }),
               {"network.weights", "client 0 has 4", "client 1 has 1", "metropolis"});
  expect_words(refusal([&] { make_weights(star, settings({text("weights", "metropolsi")})); }),
               {"network.weights", "did you mean \"metropolis\""});
}

class MatrixFile : public testing::Test {
 protected:
  // The network of a matrix in a file, 3 clients unless told.
  Network network(const std::string& content, std::vector<Given> more = {}, int clients = 3) {
    more.push_back(text("weights", "file"));
    more.push_back(text("matrix", folder_.file("P.txt", content)));
    return make_network(clients, settings(more), 1);
  }
  std::string refused(const std::string& content, const std::vector<Given>& more = {}, int clients = 3) {
    return refusal([&] { network(content, more, clients); });
  }

  Folder folder_;
  const std::string path_matrix_ = "0.75 0.25 0\n0.25,0.5,0.25  # comment\n\n0 0.25 0.75\n";
};

TEST_F(MatrixFile, its_pattern_is_the_graph_where_none_is_given) {
  const Network found = network(path_matrix_);
  EXPECT_EQ(found.graph.edges(), 2);
  EXPECT_FALSE(found.graph.has_edge(0, 2));
  expect_mixing_matrix(found.P, found.graph);
  EXPECT_DOUBLE_EQ(found.P.at(1, 1), 0.5);
}

TEST_F(MatrixFile, its_pattern_is_the_graph_where_the_graph_is_a_file_without_edges) {
  EXPECT_EQ(network(path_matrix_, {text("graph", "file")}).graph.edges(), 2);
  const Settings written = settings({text("weights", "file")});
  EXPECT_EQ(written.text("graph"), "file");  // so that a written config reads back the same
}

TEST_F(MatrixFile, a_graph_that_is_given_must_fit) {
  EXPECT_EQ(network(path_matrix_, {text("graph", "path")}).graph.edges(), 2);
  expect_words(refused(path_matrix_, {text("graph", "complete")}),
               {"P.txt", "row 0 column 2", "zero", "edge 0–2"});
  expect_words(refused("0.4 0.3 0.3\n0.3 0.4 0.3\n0.3 0.3 0.4\n", {text("graph", "path")}),
               {"P.txt", "row 0 column 2 is 0.3", "no edge 0–2", "network.graph = \"file\""});
}

TEST_F(MatrixFile, rows_may_name_their_columns) {
  const Network full = network(path_matrix_),
                sparse = network("1:0.25 0:0.75\n0:.25 1:.5 2:.25\n2:.75 1:.25\n");
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_EQ(sparse.P.at(i, j), full.P.at(i, j));
  EXPECT_EQ(sparse.graph.edges(), 2);
  expect_words(refused("0:1\n1:1\n3:1\n"), {"P.txt:3", "no column 3", "3 clients"});
  expect_words(refused("0:1\n1:-1\n2:1\n"), {"P.txt:2", "negative"});
  expect_words(refused("0:1\n1:one\n2:1\n"), {"P.txt:2", "\"one\"", "not a number"});
  expect_words(refused("0:1\n1:1 2\n2:1\n"), {"P.txt:2", "not a number"});
}

TEST_F(MatrixFile, may_stand_in_the_config_itself) {
  const Network found = make_network(3, settings({text("weights", "file"), text("matrix", path_matrix_)}), 1);
  EXPECT_EQ(found.graph.edges(), 2);
  expect_words(
      refusal([&] {
        make_network(3, settings({text("weights", "file"), text("matrix", "1 0 0\n0 1 0\n0 0 x\n")}), 1);
      }),
      {"network.matrix:3", "\"x\""});
}

TEST_F(MatrixFile, nearly_symmetric_becomes_exactly_so) {
  const Network found = network(
      "0.3333333333 0.3333333334 0.3333333333\n0.3333333333 0.3333333334 0.3333333333\n"
      "0.3333333333 0.3333333333 0.3333333334\n");
  expect_mixing_matrix(found.P, found.graph);
}

TEST_F(MatrixFile, lazy_mends_a_zero_diagonal) {
  const std::string swap = "0 1\n1 0\n";
  expect_words(refused(swap, {}, 2), {"P.txt", "diagonal of row 0 is 0", "network.lazy = true"});
  const Network found = network(swap, {lazily()}, 2);
  EXPECT_EQ(found.P.at(0, 0), 0.5);
  EXPECT_EQ(found.P.at(0, 1), 0.5);
}

TEST_F(MatrixFile, a_single_client) { EXPECT_EQ(network("1\n", {}, 1).P.at(0, 0), 1); }

TEST_F(MatrixFile, refused_matrices) {
  expect_words(
      refused("0.75 0.25 0\n0.2 0.5 0.3\n0 0.25 0.75\n"),
      {"P.txt", "not symmetric", "row 0 column 1 is 0.25", "row 1 column 0 is 0.2", "differ by 0.05"});
  expect_words(refused("0.7 0.25 0\n0.25 0.5 0.25\n0 0.25 0.75\n"),
               {"P.txt", "row 0 sums to 0.95", "stochastic"});
  expect_words(refused("0.333 0.333 0.333\n0.333 0.333 0.333\n0.333 0.333 0.333\n"),
               {"0.999", "more digits"});
  expect_words(refused("1.1 -0.1 0\n-0.1 0.6 0.5\n0 0.5 0.5\n"), {"P.txt:1", "-0.1 is negative"});
  expect_words(refused("0.75 0.25 0\n0.25 nan 0.25\n0 0.25 0.75\n"),
               {"P.txt:2", "nan", "not a finite number"});
  expect_words(refused("0.75 0.25 0\n0.25 0.5 inf\n0 0.25 0.75\n"), {"P.txt:2", "not a finite number"});
  expect_words(refused("0.75 0.25 0\n0.25 half 0.25\n"), {"P.txt:2", "\"half\" is not a number"});
  expect_words(refused("0.75 0.25 0\n\n0.25 0.5\n0 0.25 0.75\n"),
               {"P.txt:3", "row of client 1 has 2 numbers", "3 clients"});
  expect_words(refused("0.75 0.25 0\n0.25 0.5 0.25\n"), {"P.txt", "2 rows", "3 clients"});
  expect_words(refused(path_matrix_ + "0 0 1\n"), {"P.txt:5", "row 4", "3 clients"});
  expect_words(refused("1 0 0\n0 0.5 0.5\n0 0.5 0.5\n"),
               {"P.txt", "not connected", "2 components", "client 1"});
  expect_words(refused("1e-12 1 0\n1 1e-12 0\n0 0 1\n"), {"not connected"});
  expect_words(refused("0.75 0.25 1e-12\n0.25 0.5 0.25\n0 0.25 0.75\n"), {"not symmetric", "1e-12"});
  expect_words(refused(path_matrix_, {}, 0), {"clients.count"});
}

TEST_F(MatrixFile, missing) {
  expect_words(refusal([] { make_network(3, settings({text("weights", "file")}), 1); }),
               {"network.matrix", "path"});
  expect_words(
      refusal([&] {
        make_network(3, settings({text("weights", "file"), text("matrix", folder_.missing("Q.txt"))}), 1);
      }),
      {"Q.txt"});
}

TEST_F(MatrixFile, refused_matrices_of_four_clients) {
  const auto with = [&](const std::string& content) { return refused(content, {text("graph", "file")}, 4); };
  const std::string row = "0.25 0.25 0.25 0.25\n", tenth_less = "0.225 0.225 0.225 0.225\n";
  expect_words(with("0.25 0.3 0.2 0.25\n" + row + row + row), {"P.txt", "not symmetric", "0.3", "0.25"});
  expect_words(with(tenth_less + tenth_less + tenth_less + tenth_less), {"P.txt", "stochastic", "0.9"});
  expect_words(with("0.75 -0.25 0.25 0.25\n-0.25 0.75 0.25 0.25\n" + row + row), {"P.txt:1", "negative"});
  expect_words(with(row + row + row), {"P.txt", "3", "4"});
  expect_words(with("0.25 0.25 0.25\n0.25 0.25 0.25\n"), {"P.txt:1", "3", "4"});
  expect_words(with("0.5 nan\n"), {"P.txt:1"});
  expect_words(with("0.25 0.25 0.25 x\n"), {"P.txt:1", "x"});
  expect_words(with("0.5 0.5 0 0\n0.5 0.5 0 0\n0 0 0.5 0.5\n0 0 0.5 0.5\n"), {"P.txt", "not connected"});
  const Graph star = make_graph(16, graph_settings("star"), 1);
  expect_words(refusal([&] { make_weights(star, settings({text("weights", "uniform")})); }),
               {"uniform", "metropolis", "15"});
}

}  // namespace
}  // namespace doc2s::network_tests
