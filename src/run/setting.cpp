#include "setting.hpp"

#include <fmt/format.h>

#include "algorithms/rounds.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "config/schema.hpp"

namespace doc2s {

namespace {

std::string section_text(const Config& config, const std::string& section) {
  JsonObject object;
  for (const auto& [known, value] : values_in_force(config, section))
    object.add_raw(known.option.name, to_json(value));
  return object.line();
}

std::string graph_text(const Network& network, const Settings& method) {
  std::vector<std::string> edges;
  for (int i = 0; i < network.clients(); ++i)
    for (const int j : network.graph.neighbours(i))
      if (i < j) edges.push_back(fmt::format("[{}, {}]", i, j));
  JsonObject object;
  object.add("n", network.clients()).add_raw("edges", "[" + joined(edges) + "]");
  add_network(object, network, method);
  return object.line();
}

std::string split_text(const Split& split) {
  if (split.labels.empty()) return "null";
  std::vector<std::string> labels, counts;
  for (const auto& label : split.labels) labels.push_back(json(label));
  for (const auto& client : split.counts) counts.push_back(fmt::format("[{}]", fmt::join(client, ", ")));
  return JsonObject()
      .add_raw("labels", "[" + joined(labels) + "]")
      .add_raw("counts", "[" + joined(counts) + "]")
      .line();
}

}  // namespace

void add_network(JsonObject& object, const Network& network, const Settings& method) {
  object.add("gamma", network.spectrum.gamma())
      .add("lambda2", network.spectrum.lambda2())
      .add("lambda_min", network.spectrum.lambda_min())
      .add("diameter", network.graph.diameter());
  const auto rounds = gossip_rounds(network, method);
  if (!rounds) {
    object.add_raw("rounds", "null").add_raw("contraction", "null").add_raw("reach", "null");
    return;
  }
  object.add("rounds", rounds->count)
      .add("contraction", network.spectrum.contraction(*rounds))
      .add("reach", network.graph.reach(rounds->count));
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
