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
  Graph graph = pattern_of(matrix);
  check_connected(graph, network.text("matrix"));
  const Weights P = finished_weights(matrix, graph, network);
  return {std::move(graph), P, Spectrum(P)};
}

// On a regular graph all kinds of weights but those of a file are 1/(degree + 1).
Spectrum spectrum_of(const Weights& P, const Shape& shape, const Settings& network) {
  if (network.text("weights") == "file") return Spectrum(P);
  if (!network.flag("lazy")) return {P, shape};
  return Spectrum(P, shape).made_lazy(P);
}

}  // namespace

std::vector<Option> network_options() {
  return {
      text_option("graph", "ring", "who talks to whom")
          .one_of(names_of(graph_kinds()))
          .derived_by([](const Config& config) {
            return config.network.text("weights") == "file" ? std::optional<Value>("file") : std::nullopt;
          }),
      text_option("weights", "metropolis",
                  "the mixing matrix P on the graph; on a regular graph metropolis is uniform")
          .one_of(names_of(weights_kinds())),
      flag_option("lazy", false, "mix with (I + P)/2, which has no negative eigenvalue"),
  };
}

Network make_network(int clients, const Settings& network, std::uint64_t seed) {
  if (matrix_is_the_graph(network)) return network_of_matrix(clients, network);
  Graph graph = make_graph(clients, network, seed);
  const Weights P = make_weights(graph, network);
  const Shape shape = graph.shape();
  return {std::move(graph), P, spectrum_of(P, shape, network)};
}

Network make_network(const Config& config) {
  return make_network(static_cast<int>(config.clients.integer("count")), config.network, config.seed());
}

}  // namespace doc2s
