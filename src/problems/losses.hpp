// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>

#include "doc2s/base/types.hpp"

namespace doc2s {

enum class Loss { cross_entropy, mse, mae, huber };

struct LossRule {
  Loss loss = Loss::cross_entropy;
  double delta = 1;  // of huber
};

struct LossAndSlope {
  double value, slope;
};

// The loss of the output z against the number y, d = z − y: d², |d|, or Huber's d²/2 where |d| ≤ δ, else
// δ(|d| − δ/2). The slope of |d| at 0 is 0.
inline LossAndSlope loss_of(const LossRule& rule, double d) {
  const double size = std::abs(d), sign = d > 0 ? 1 : d < 0 ? -1 : d;  // NaN stays NaN
  if (rule.loss == Loss::mse) return {d * d, 2 * d};
  if (rule.loss == Loss::mae) return {size, sign};
  if (size <= rule.delta) return {0.5 * d * d, d};
  return {rule.delta * (size - 0.5 * rule.delta), rule.delta * sign};
}

}  // namespace doc2s
