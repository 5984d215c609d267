// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "theory/complexity.hpp"
#include "theory/theory_parameters.hpp"

namespace doc2s::app {

// All that `doc2s plan` shows.
struct PlanFigures {
  Config config;
  Network network;
  Index dimension;
  TheoryParameters theory;
  double seconds = std::numeric_limits<double>::quiet_NaN();        // estimates for the theorem's R …
  double seconds_exact = std::numeric_limits<double>::quiet_NaN();  // … and for the exact one
  std::string no_time{};                                            // why there is no estimate

  bool travels() const { return config.method.has("route"); }  // instead of gossip
  std::optional<double> theorem_R() const {                    // it is for Chebyshev's gossip alone
    const bool chebyshev = !travels() && config.method.text("gossip") != "plain";
    return chebyshev ? std::optional(theory.theorem_R) : std::nullopt;
  }
  double contraction(double R) const;  // ρ_R; NaN where R is too large to be asked
  PlanCosts costs(double R) const;
  PlanCosts travelling() const;             // expectations
  std::optional<PlanCosts> me_dol() const;  // by the constants of its proof; first order only
  double rho() const;                       // the second largest |λ| of P
  std::vector<Complexity> orders() const;   // of DOC²S and the baselines
};

std::string plan_json(const PlanFigures& figures);
std::string plan_text(const PlanFigures& figures);

}  // namespace doc2s::app
