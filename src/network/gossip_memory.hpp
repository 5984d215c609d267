// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "base/json.hpp"
#include "doc2s/network/network.hpp"

namespace doc2s {

// What R rounds leave of a row that one client sends while all others have zeros: client i gets c_i times it,
// c = q_R(P) e_sender.
struct GossipMemory {
  double memory;  // ‖q_R(P)‖_F²: n times the mean of c_i² over senders and clients i; n equal shares give 1
  double least_c;  // of all senders and clients
};

// Nothing above 600 clients, or where the network changes.
std::optional<GossipMemory> gossip_memory(const Network& network, const Rounds& rounds);

// As `memory` and `least_c`; null where nothing is known.
void add_memory(JsonObject& object, const std::optional<GossipMemory>& known);

}  // namespace doc2s
