// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "doc2s/network/network.hpp"

// What methods with R rounds of FastGossip have in common.
namespace doc2s {

// The rounds that a method's options R and gossip ask for; nothing for a method without them.
std::optional<Rounds> gossip_rounds(const Network& network, const Settings& method);

// For a trial of what R rounds cost: plain gossip costs as much as Chebyshev's, and any R is accepted.
Settings trial_settings(Settings method, Index R);

// The options of a method whose parameters may come from the theorem: parameters = "theory" and what it
// needs.
std::vector<Option> theory_options();
std::vector<Option> theory_options_without_rounds();  // for a method without gossip
bool has_theory(const Kind& method);                  // whether it has these

}  // namespace doc2s
