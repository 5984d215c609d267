// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan.hpp"

namespace doc2s {

// N of first-order ME-DOL with the constants of its proof, as the paper's appendix gives them: then the mean
// over clients and iterations of some epoch is (δ, ε)-Goldstein stationary. ρ is the second largest |λ| of P.
// Not rounded.
double me_dol_rounds(const PlanRequest& request, double rho);

}  // namespace doc2s
