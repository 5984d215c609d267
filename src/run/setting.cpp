// SPDX-License-Identifier: Apache-2.0
#include "setting.hpp"

#include <fmt/format.h>

#include "algorithms/rounds.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "config/schema.hpp"
#include "network/change.hpp"
#include "network/gossip_memory.hpp"

namespace doc2s {

namespace {

std::string section_text(const Config& config, const std::string& section) {
  JsonObject object;
  for (const auto& [known, value] : values_in_force(config, section))
    object.add_raw(known.option.name, to_json(value));
  return object.line();
}

constexpr Index most_written_edges = 200'000;  // three megabytes; a page draws fewer
constexpr int most_searched_clients = 20'000;  // a search from each takes seconds

std::string edges_text(const Graph& graph) {
  if (graph.edges() > most_written_edges) return "null";
  std::vector<std::string> edges;
  for (int i = 0; i < graph.clients(); ++i)
    for (const int j : graph.neighbours(i))
      if (i < j) edges.push_back(fmt::format("[{}, {}]", i, j));
  return "[" + joined(edges) + "]";
}

std::string graph_text(const Network& network, const Settings& method) {
  JsonObject object;
  object.add("n", network.clients()).add_raw("edges", edges_text(network.graph));
  add_network(object, network, method);
  return object.line();
}

std::string split_text(const Split& split) {
  if (split.counts.empty()) return "null";
  std::vector<std::string> labels, counts;
  for (const auto& label : split.labels) labels.push_back(json(label));
  for (const auto& client : split.counts) counts.push_back(fmt::format("[{}]", fmt::join(client, ", ")));
  return JsonObject()
      .add_raw("labels", "[" + joined(labels) + "]")
      .add_raw("counts", "[" + joined(counts) + "]")
      .line();
}

}  // namespace

void add_change_figures(JsonObject& object, const NetworkChange& change) {
  const auto& figures = change.figures();
  const auto contraction = figures ? figures->contraction : std::nullopt;
  object.add_raw("expected_contraction", contraction ? json(*contraction) : "null")
      .add_raw("connected_rounds", figures ? json(figures->connected) : "null")
      .add_raw("draws", figures ? std::to_string(figures->draws) : "null");
}

// What takes minutes to find is left out.
void add_network(JsonObject& object, const Network& network, const Settings& method) {
  const Graph& graph = network.graph;
  const Spectrum& spectrum = network.spectrum;
  const bool searched = network.clients() <= most_searched_clients;
  const bool spectrum_known = searched || !spectrum.needs_search();
  const bool hops_known = searched || graph.shape().kind != Shape::Kind::none;
  const auto add = [&](const char* name, bool known, auto figure) {
    object.add_raw(name, known ? figure() : "null");
  };
  add("gamma", spectrum_known, [&] { return json(spectrum.gamma()); });
  add("lambda2", spectrum_known, [&] { return json(spectrum.lambda2()); });
  add("lambda_min", spectrum_known, [&] { return json(spectrum.lambda_min()); });
  add("diameter", hops_known, [&] { return std::to_string(graph.diameter()); });
  const auto rounds = gossip_rounds(network, method);
  add("rounds", rounds.has_value(), [&] { return std::to_string(rounds->count); });
  add("contraction", rounds && spectrum_known && !network.change,
      [&] { return json(spectrum.contraction(*rounds)); });
  add("reach", rounds && hops_known, [&] { return json(graph.reach(rounds->count)); });
  add_memory(object, rounds ? gossip_memory(network, *rounds) : std::nullopt);
  if (network.change) add_change_figures(object, *network.change);
}

template <class Real>
std::string setting_text(const Experiment<Real>& experiment) {
  const Config& config = experiment.config;
  JsonObject object;
  object.add("label", config.method.text("label"))
      .add("seed", config.general.integer("seed"))
      .add("precision", config.general.text("precision"));
  for (const char* section : {"method", "problem", "clients", "network", "run"})
    object.add_raw(section, section_text(config, section));
  object.add_raw("graph", graph_text(experiment.network, config.method))
      .add_raw("split", split_text(experiment.made.split));
  return object.lines();
}

template std::string setting_text(const Experiment<float>&);
template std::string setting_text(const Experiment<double>&);

}  // namespace doc2s
