// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "constants.hpp"
#include "doc2s/config/config.hpp"
#include "plan.hpp"

namespace doc2s {

// The theorem's parameters for a config's problem and network.
struct TheoryParameters {
  PlanRequest request;         // its epsilon is the plan's
  ProblemConstants constants;  // L, G, ν and how they are known
  Plan plan;
  double theorem_R;            // for Chebyshev's gossip; 0 where the method does not gossip
  std::optional<int> exact_R;  // by the contraction of the P at hand
};

// What a method whose state travels spends where every client stays 1 iteration and one traveller goes: in
// expectation, two vectors over each hop.
PlanCosts travelling_costs(const Plan& plan, const Network& network, const Config& config, Index dimension);

// L, G and ν where the config gives them all; nothing where one is missing.
std::optional<ProblemConstants> given_constants(const Settings& method);

// The same with what the config does not give taken from the problem. Every process must call this.
template <class Real>
ProblemConstants constants_of(const Config& config, const Problem<Real>& problem, ClientRange here,
                              Processes& processes, Threads& threads);

TheoryParameters theory_parameters(const Config& config, const ProblemConstants& constants,
                                   const Network& network, Index dimension);

// The config with the plan's K, T, D, eta, R (where it gossips), delta_prime, L, G and gap. Throws Error
// where the plan is too large to be run.
Config planned(Config config, const TheoryParameters& parameters);

// The same by what the problem says where parameters = "theory", else the config as it is. A value that is
// given beside them must be the theorem's. Every process must call this.
template <class Real>
Config with_theory(Config config, const Network& network, const Problem<Real>& problem, ClientRange here,
                   Processes& processes, Threads& threads);

}  // namespace doc2s
