// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "doc2s/config/config.hpp"

// What commands answer with --json, for Python's functions of the same names.
namespace doc2s::app {

struct NetworkQuestion {
  Changes changes;
  int rounds = 2;
  std::string gossip = "";  // chebyshev, or plain where the network changes
};
std::string network_answer(const NetworkQuestion& asked);

struct PlanQuestion {
  Changes changes;                // --delta, --graph …
  std::string from;               // a config whose problem is asked; "" where the numbers are given
  std::vector<std::string> sets;  // "key=value"
  std::string config;             // where to write the plan as a config; "" writes none
  bool force = false;
};
std::string plan_answer(const PlanQuestion& asked);

std::string list_answer(const std::string& topic);   // "methods", "graphs" …
std::string explain_answer(const std::string& key);  // as `doc2s explain`; "": all keys

}  // namespace doc2s::app
