// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan.hpp"

namespace doc2s {

// The plan by the tight constants, docs/theory.md#the-tight-constants, but for its contraction. Of a request
// that is in range.
Plan tight_plan(const PlanRequest& request);

}  // namespace doc2s
