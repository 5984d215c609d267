// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "theory/theory_parameters.hpp"

namespace doc2s {

// The theorem's parameters for a config's own problem and network.
struct PlannedConfig {
  Config config;
  Network network;
  Index dimension;
  TheoryParameters theory;
};

// What a goal is planned for: the configs of a text or a file with these changes, one for each method.
using ReadConfigs = std::function<std::vector<Config>(const Changes&)>;
struct PlanChoice {
  std::string method;  // where none of theirs is taken
  bool named;          // take only a method that they, or a change, name
};

// With parameters = "theory": the first method that has a theorem. Throws Error where a change names one that
// has none, where both epsilon and a budget are asked for, or another journey than the theorem's.
Config config_to_plan(const ReadConfigs& read, Changes changes, const PlanChoice& choice);

// Makes the problem to ask it for its constants.
PlannedConfig plan_of_problem(const Config& config, Network network);

}  // namespace doc2s
