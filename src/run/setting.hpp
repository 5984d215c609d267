#pragma once
#include <string>

#include "base/json.hpp"
#include "experiment.hpp"

namespace doc2s {

// What a report shows of an experiment besides its records: the values in force, the graph, the clients'
// label shares.
template <class Real>
std::string setting_text(const Experiment<Real>& experiment);

// γ, λ₂, λ_min, the diameter and, for a method with R rounds of gossip, their contraction ρ_R and reach.
void add_network(JsonObject& object, const Network& network, const Settings& method);

}  // namespace doc2s
