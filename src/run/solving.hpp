// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/run/run.hpp"
#include "doc2s/run/solve.hpp"
#include "guarantee_steps.hpp"

namespace doc2s {

// One call of solve() or guarantee(), with the friend's look into Options.
struct Solving {
  const Options& options;

  // What the problem decides, unless the user says otherwise.
  Config config(int clients, const std::string& precision) const;
  GuaranteeQuestion question(int clients) const;
  RunOptions run_options(Processes& processes, std::vector<std::string>& notes) const;

  template <class Real>
  Result solved(const Problem<Real>& problem, const Config& config, Processes& processes) const;

 private:
  Config resolved_with(const Changes& last) const;
};

}  // namespace doc2s
