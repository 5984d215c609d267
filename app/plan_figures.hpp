// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "run/planning.hpp"
#include "theory/complexity.hpp"

namespace doc2s::app {

// A plan by one kind of constants, with the fewest rounds and what it costs.
struct PlanByConstants {
  Plan plan;
  std::optional<double> R;  // 0 where the state travels; empty where no number is known
  PlanCosts costs;          // NaN where R is not known
};

// All that `doc2s plan` shows.
struct PlanFigures : PlannedConfig {
  double seconds = std::numeric_limits<double>::quiet_NaN();        // estimates for the theorem's R …
  double seconds_exact = std::numeric_limits<double>::quiet_NaN();  // … and for the exact one
  std::string no_time{};                                            // why there is no estimate

  bool travels() const { return config.method.has("route"); }  // instead of gossip
  std::optional<double> theorem_R() const {                    // it is for Chebyshev's gossip alone
    if (travels() || config.method.text("gossip") == "plain") return {};
    if (theory.request.tight && config.method.text("rounds_rule") == "exact") return {};
    return theory.theorem_R;
  }
  double contraction(double R) const;  // ρ_R; NaN where R is too large to be asked
  PlanCosts costs(double R) const;
  PlanCosts travelling() const;                                   // expectations
  std::optional<PlanByConstants> by_constants(bool tight) const;  // empty where the proof has no such plan
  std::optional<PlanByConstants> by_gossip() const;               // of DOC²S, beside a method that travels
  std::optional<PlanCosts> me_dol() const;  // by the constants of its proof; first order only
  double rho() const;                       // the second largest |λ| of P
  std::vector<Complexity> orders() const;   // of DOC²S and the baselines
};

std::string plan_json(const PlanFigures& figures);
std::string plan_text(const PlanFigures& figures);
std::string plan_summary(const PlanFigures& figures);  // goal, constants, parameters, cost; of planned()

// Throws Error where delta, or both epsilon and a budget, are missing.
void require_goal(const Config& config, const std::string& command);

}  // namespace doc2s::app
