// SPDX-License-Identifier: Apache-2.0
#include "planning.hpp"

#include <fmt/format.h>

#include "doc2s/base/error.hpp"
#include "experiment.hpp"
#include "gradient_needs.hpp"

namespace doc2s {

namespace {

void refuse_asked_method(const Changes& changes) {
  for (const auto& change : changes)
    if (change.key == "method.name")
      throw Error("there is no theorem to plan by for this method", change.where,
                  "take doc2s or doc2s-travel");
}

// The theorem's journey is what is planned and what its costs are expected for.
void refuse_other_journey(const Settings& method) {
  if (!method.has("route")) return;
  for (const char* name : {"travellers", "stay"})
    if (method.integer(name) != 1)
      throw Error(fmt::format("the theorem holds for {} = 1, not for {}", name, method.integer(name)),
                  method.where(name), "leave it out");
}

// One of them decides K and T.
void refuse_two_goals(const Changes& changes, const Config& config) {
  for (const auto& change : changes)
    if (change.key == "run.budget.samples" && config.method.has("epsilon"))
      throw Error("a budget of samples takes the place of epsilon, and both are given", change.where,
                  "leave one of them out");
}

Config chosen_config(const ReadConfigs& read, Changes changes, const PlanChoice& choice) {
  for (Config& config : read(changes))
    if (config.method.has("parameters") && (!choice.named || config.method.given("name")))
      return std::move(config);
  refuse_asked_method(changes);
  changes.push_back({"method.name", choice.method, "plan"});
  return read(changes).front();
}

template <class Real>
PlannedConfig asked(Config config, Network network) {
  Processes alone;
  Threads threads(thread_count(config, alone));
  const ClientRange all{0, network.clients()};
  const auto made = make_problem<Real>(config, all, alone);
  config = with_possible_order(std::move(config), *made.problem);
  const ProblemConstants constants = constants_of(config, *made.problem, all, alone, threads);
  const Index d = made.problem->dimension();
  auto theory = theory_parameters(config, constants, network, d);
  return {std::move(config), std::move(network), d, std::move(theory)};
}

}  // namespace

Config config_to_plan(const ReadConfigs& read, Changes changes, const PlanChoice& choice) {
  changes.push_back({"method.parameters", "theory", "plan"});
  Config config = chosen_config(read, changes, choice);
  refuse_two_goals(changes, config);
  refuse_other_journey(config.method);
  return config;
}

PlannedConfig plan_of_problem(const Config& config, Network network) {
  return config.general.text("precision") == "float32" ? asked<float>(config, std::move(network))
                                                       : asked<double>(config, std::move(network));
}

}  // namespace doc2s
