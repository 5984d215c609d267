// SPDX-License-Identifier: Apache-2.0
#include "me_dol_rounds.hpp"

#include <cmath>

namespace doc2s {

double me_dol_rounds(const PlanRequest& r, double rho) {
  const double G = r.gradient_bound, L = r.lipschitz, root_n = std::sqrt(r.clients), gap = 1 - rho;
  const double c1 = 4 * std::sqrt((G * G * gap + 4 * G * (L + G) * root_n) / (2 * gap));
  const double c3 = 3 * root_n / gap + 5;
  const double sum = 2 * G + 2 * c1 * root_n + r.c0 * L * std::sqrt(r.dimension) * gap * c3;
  // c₈ = 12ν√n/(1−ρ) · ((1−ρ) · sum/(16νn))^{2/3}; its cube multiplied out also holds for ν = 0
  const double c8_cubed = 27 * r.gap * sum * sum / (4 * root_n * gap);
  return c8_cubed / (r.delta * std::pow(r.epsilon, 3));
}

}  // namespace doc2s
