#include "doc2s/network/network.hpp"

#include "checks.hpp"
#include "graph_makers.hpp"
#include "matrix_file.hpp"

namespace doc2s {

namespace {

bool matrix_is_the_graph(const Settings& network) {
  return network.text("weights") == "file" && network.text("graph") == "file" && !network.has("edges");
}

Network network_of_matrix(int clients, const Settings& network) {
  check_clients(clients);
  const Weights matrix = read_matrix(clients, network);
  const Graph graph = pattern_of(matrix);
  check_connected(graph, network.text("matrix"));
  const Weights P = finished_weights(matrix, graph, network);
  return {graph, P, Spectrum(P)};
}

}  // namespace

std::vector<Option> network_options() {
  return {
      text_option("graph", "ring", "who talks to whom").one_of(names_of(graph_kinds())),
      text_option("weights", "metropolis",
                  "the mixing matrix P on the graph; on a regular graph metropolis is uniform")
          .one_of(names_of(weights_kinds())),
      flag_option("lazy", false, "mix with (I + P)/2, which has no negative eigenvalue"),
  };
}

void settle_graph(Settings& network, int clients) {
  if (network.text("weights") == "file" && !network.given("graph")) network.set("graph", std::string("file"));
  const std::string& graph = network.text("graph");
  const auto rows = graph == "grid" || graph == "torus" ? lattice_rows(clients) : std::vector<int>();
  if (!rows.empty() && !network.has("rows")) network.set("rows", std::int64_t{squarest(rows, clients)});
  if (graph == "erdos-renyi" && !network.has("p")) network.set("p", likely_connected(clients));
}

Network make_network(int clients, const Settings& network, std::uint64_t seed) {
  Settings settled = network;
  settle_graph(settled, clients);
  if (matrix_is_the_graph(settled)) return network_of_matrix(clients, settled);
  const Graph graph = make_graph(clients, settled, seed);
  const Weights P = make_weights(graph, settled);
  return {graph, P, Spectrum(P)};
}

}  // namespace doc2s
