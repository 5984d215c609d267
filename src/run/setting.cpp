#include "setting.hpp"

#include <fmt/format.h>

#include <set>

#include "base/json.hpp"
#include "base/text.hpp"
#include "config/known_options.hpp"

namespace doc2s {

namespace {

std::string section_text(const Config& config, const std::string& section) {
  const Settings& settings = config.section(section);
  JsonObject object;
  std::set<std::string> seen;
  for (const auto& known : known_options()) {
    const std::string& name = known.option.name;
    if (known.section == section && settings.has(name) && seen.insert(name).second)
      object.add_raw(name, json(settings.value(name)));
  }
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
  if (!method.has("R")) {
    object.add_raw("rounds", "null").add_raw("contraction", "null").add_raw("reach", "null");
    return;
  }
  const Rounds rounds = network.rounds(method.text("gossip"), static_cast<int>(method.integer("R")));
  object.add("rounds", rounds.count)
      .add("contraction", network.spectrum.contraction(rounds))
      .add("reach", network.graph.reach(rounds.count));
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
