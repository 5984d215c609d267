// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "base/json.hpp"
#include "experiment.hpp"

namespace doc2s {

// What a report shows of an experiment besides its records: the values in force, the graph, the clients'
// label shares.
template <class Real>
std::string setting_text(const Experiment<Real>& experiment);

// Of a network that changes: √λ₂(E[P_tᵀP_t]), the share of rounds that are connected, and the draws that both
// are from.
void add_change_figures(JsonObject& object, const NetworkChange& change);

// γ, λ₂, λ_min, the diameter and, for a method with R rounds of gossip, their contraction ρ_R, reach
// and memory; with add_change_figures().
void add_network(JsonObject& object, const Network& network, const Settings& method);

}  // namespace doc2s
