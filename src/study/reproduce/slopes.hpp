// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

// y ≈ coefficients[0] + Σ_k coefficients[k] x_k.
struct LinearFit {
  std::vector<double> coefficients;
  std::vector<double> errors;  // standard errors, as if the points were independent
};

// By least squares; each row of x has one number a coefficient but the first. Nothing where there are not
// more points than coefficients, or where they do not decide them all.
std::optional<LinearFit> linear_fit(const std::vector<std::vector<double>>& x, const std::vector<double>& y);

}  // namespace doc2s
