// SPDX-License-Identifier: Apache-2.0
#include "changing_config.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

bool is(const Settings& settings, const char* key, const char* value) {
  return settings.has(key) && settings.text(key) == value;
}

void note(Config& config, const std::string& what) {
  config.notices.push_back(fmt::format("network.change = \"{}\": {}", config.network.text("change"), what));
}

void refuse_tour(const Config& config) {
  if (is(config.network, "change", "periodic") && is(config.method, "route", "tour"))
    throw Error("a tour goes around one graph, and here several take turns", config.method.where("route"),
                "take route = \"uniform\" or \"walk\"");
}

void check_gossip(Config& config) {
  const Settings& method = config.method;
  if (method.has("gossip") && method.given("gossip") && !is(method, "gossip", "plain"))
    throw Error("Chebyshev's gossip needs a P that stays, and the network changes", method.where("gossip"),
                "take gossip = \"plain\", or leave it out");
  if (method.has("gossip") && !method.given("gossip"))
    note(config, "gossip is plain, since Chebyshev's needs a P that stays");
}

}  // namespace

Config with_checked_change(Config config) {
  if (!config.network.has("change") || is(config.network, "change", "none")) return config;
  refuse_tour(config);
  check_gossip(config);
  if (config.method.has("rounds"))  // of DGFM⁺
    note(config, "the rounds after a large batch are plain, since Chebyshev's need a P that stays");
  const auto graphs =
      config.network.has("graphs") ? names_in(config.network.text("graphs")) : std::vector<std::string>{};
  if (!graphs.empty() && std::ranges::find(graphs, config.network.text("graph")) == graphs.end())
    note(config, "network.graph is ignored, since network.graphs take turns");
  return config;
}

}  // namespace doc2s
