// SPDX-License-Identifier: Apache-2.0
#include "doc2s/network/network.hpp"

#include <fmt/format.h>

#include "change.hpp"
#include "checks.hpp"
#include "graph_makers.hpp"
#include "matrix_file.hpp"
#include "text_table.hpp"

namespace doc2s {

namespace {

bool matrix_is_the_graph(const Settings& network) {
  return network.text("weights") == "file" && network.text("graph") == "file" && !network.has("edges");
}

Network network_of_matrix(int clients, const Settings& network) {
  check_clients(clients);
  const Weights matrix = read_matrix(clients, network);
  Graph graph = pattern_of(matrix);
  check_connected(graph, table_name(network, "matrix"));
  const Weights P = finished_weights(matrix, graph, network);
  return {std::move(graph), P, Spectrum(P)};
}

// On a regular graph all kinds of weights but those of a file are 1/(degree + 1).
Spectrum spectrum_of(const Weights& P, const Shape& shape, const Settings& network) {
  if (network.text("weights") == "file") return Spectrum(P);
  if (!network.flag("lazy")) return {P, shape};
  return Spectrum(P, shape).made_lazy(P);
}

// Of graphs that take turns the first; where the weights come from a file, so does the graph; one or two
// clients are no ring.
std::optional<Value> implied_graph(const Config& config) {
  if (config.network.has("graphs")) return names_in(config.network.text("graphs")).front();
  if (config.network.text("weights") == "file") return "file";
  const bool few = config.clients.has("count") && config.clients.integer("count") < 3;
  return few ? std::optional<Value>("complete") : std::nullopt;
}

}  // namespace

std::vector<Option> network_options() {
  return {
      text_option("graph", "ring", "who talks to whom; complete where there are one or two clients")
          .one_of(names_of(graph_kinds()))
          .derived_by(implied_graph),
      text_option("weights", "metropolis",
                  "the mixing matrix P on the graph; on a regular graph metropolis is uniform")
          .one_of(names_of(weights_kinds())),
      flag_option("lazy", false, "mix with (I + P)/2, which has no negative eigenvalue"),
      text_option("change", "none",
                  "what changes from round to round: nothing (none), several graphs take turns (periodic), "
                  "or links fail (links); P is then metropolis on what is up")
          .one_of({"none", "periodic", "links"}),
      text_option("graphs", {}, "the graphs that take turns, such as [\"ring\", \"star\"]")
          .some_of(names_of(graph_kinds()))
          .only_where("change", "periodic"),
      integer_option("every", 1, "rounds from one graph to the next")
          .at_least(1)
          .only_where("change", "periodic"),
      real_option("loss", 0.1, "probability that a link is down in a round")
          .at_least(0)
          .below(1)
          .only_where("change", "links"),
      real_option("burst", 1.0, "rounds from one draw of a link's state to the next, on average")
          .at_least(1)
          .at_most(1e9)
          .only_where("change", "links"),
  };
}

namespace {

Network periodic_network(int clients, const Settings& network, std::uint64_t seed) {
  auto change = make_periodic(clients, network, seed);
  const Weights P = make_weights(change->graph(), network);
  return {change->graph(), P, spectrum_of(P, change->graph().shape(), network), std::move(change)};
}

void check_changing_weights(const Settings& network) {
  if (network.text("weights") != "metropolis")
    throw Error(
        fmt::format(
            "weights = \"{}\" are for a network that stays as it is, and this one has change = \"{}\"",
            network.text("weights"), network.text("change")),
        network.where("weights"), "leave the weights out: a round has metropolis weights on what is up");
}

}  // namespace

Network make_network(int clients, const Settings& network, std::uint64_t seed) {
  const std::string change = network.has("change") ? network.text("change") : "none";
  if (change != "none") check_changing_weights(network);
  if (change == "periodic") return periodic_network(clients, network, seed);
  if (matrix_is_the_graph(network)) return network_of_matrix(clients, network);
  Graph graph = make_graph(clients, network, seed);
  const Weights P = make_weights(graph, network);
  const Shape shape = graph.shape();
  auto links = change == "links" ? make_links(graph, network, seed) : nullptr;
  return {std::move(graph), P, spectrum_of(P, shape, network), std::move(links)};
}

void check_network(const Config& config) {
  const auto clients = static_cast<int>(config.clients.integer("count"));
  if (!matrix_is_the_graph(config.network)) check_graph(clients, config.network);
}

Network make_network(const Config& config) {
  return make_network(static_cast<int>(config.clients.integer("count")), config.network, config.seed());
}

}  // namespace doc2s
