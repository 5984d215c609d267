// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "doc2s/run/solve.hpp"

namespace doc2s {

struct Guaranteed {
  double delta, epsilon;       // the goal; by a budget of samples the least epsilon that it guarantees
  std::vector<double> bounds;  // of ‖∇f‖_delta at each client's output; empty where the run did not finish
  bool certified;              // every bound is proved, and at most epsilon
  std::string verdict;         // in two sentences
  Result run;                  // its config has the plan's K, T, D and eta
};

// What `doc2s guarantee` does, for a problem that this library has never seen: the theorem's plan by the
// tight constants, its run, and a certificate for every client's output. The options name method.delta and
// method.epsilon, or run.budget.samples in its place; the method is doc2s-travel unless they name doc2s.
// Constants that neither the options (method.lipschitz, method.gradient_bound, method.gap) nor the problem
// give are measured, but for the gap. One call at a time, in one process.
Guaranteed guarantee(const Problem<double>& problem, const Options& options);

}  // namespace doc2s
