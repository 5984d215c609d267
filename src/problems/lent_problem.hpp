// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/problems/problem.hpp"

namespace doc2s {

// While it lives, problem.name = "own" is this problem, so that studies can run it from configs. There is one
// at a time.
class LentProblem {
 public:
  template <class Real>
  explicit LentProblem(const Problem<Real>& problem);
  ~LentProblem();
  LentProblem(const LentProblem&) = delete;
  LentProblem& operator=(const LentProblem&) = delete;
};

}  // namespace doc2s
