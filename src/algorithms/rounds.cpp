// SPDX-License-Identifier: Apache-2.0
#include "rounds.hpp"

#include <algorithm>

namespace doc2s {

std::optional<Rounds> gossip_rounds(const Network& network, const Settings& method) {
  if (!method.has("R")) return {};
  return network.rounds(method.text("gossip"), static_cast<int>(method.integer("R")));
}

Settings trial_settings(Settings method, Index R) {
  method.set("parameters", "given");
  for (const char* count : {"K", "T"}) method.set(count, Index{1000});
  if (!method.has("R")) return method;
  method.set("gossip", "plain");
  method.set("R", R);
  return method;
}

namespace {

std::optional<Value> tight_by_budget(const Config& config) {
  if (config.method.has("epsilon") || !config.run.has("budget.samples")) return {};
  return "tight";
}

std::optional<Value> exact_where_tight(const Config& config) {
  if (config.method.text("constants") != "tight") return {};
  return "exact";
}

}  // namespace

std::vector<Option> theory_options() {
  std::vector<Option> options = {
      real_option("delta", std::nullopt, "radius of the Goldstein stationarity that is aimed at").above(0),
      real_option(
          "epsilon", std::nullopt,
          "size of the subgradient that is aimed at; without it the least that run.budget.samples allow")
          .above(0),
      text_option("constants", "paper",
                  "those of the paper's proof, or the tight ones of docs/theory.md, which ask for a fraction "
                  "of the iterations; tight where a budget takes the place of epsilon")
          .one_of({"paper", "tight"})
          .derived_by(tight_by_budget),
      real_option("lipschitz", std::nullopt, "L of the theorem; default: from the problem").above(0),
      real_option("gradient_bound", std::nullopt,
                  "G of the theorem, for order first; default: from the problem")
          .above(0),
      real_option("gap", std::nullopt, "a bound of f(x0) - inf f; default: from the problem").at_least(0),
      real_option("c0", 1.0, "the constant in the smoothness of a smoothed function; 1 is safe").above(0),
      real_option("smooth", std::nullopt,
                  "the smooth case: the Lipschitz constant H of the gradient of a client's loss; with sigma")
          .above(0),
      real_option("sigma", std::nullopt,
                  "root of the variance of a client's stochastic gradient, for the smooth case")
          .at_least(0),
      text_option("rounds_rule", "theorem",
                  "R by the theorem's formula, or the smallest whose exact contraction the proof accepts; "
                  "exact where constants are tight")
          .one_of({"theorem", "exact"})
          .derived_by(exact_where_tight),
  };
  for (Option& option : options) option = option.only_where("parameters", "theory");
  options.insert(options.begin(),
                 text_option("parameters", "given",
                             "K, T, D, eta, delta_prime and rounds as given, or by the theory for "
                             "delta and epsilon or a budget of samples")
                     .one_of({"given", "theory"}));
  return options;
}

std::vector<Option> theory_options_without_rounds() {
  std::vector<Option> options = theory_options();
  std::erase_if(options, [](const Option& option) { return option.name == "rounds_rule"; });
  return options;
}

bool has_theory(const Kind& method) {
  return std::any_of(method.options.begin(), method.options.end(),
                     [](const Option& option) { return option.name == "parameters"; });
}

}  // namespace doc2s
