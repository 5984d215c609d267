// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "doc2s/base/rows.hpp"
#include "doc2s/config/config.hpp"
#include "doc2s/problems/problem.hpp"

namespace doc2s {

// The samples that losses are computed on; fixed. With problem.evaluation below the number of clients, one
// sample each of that many clients, and f is estimated by the mean over those.
struct Evaluated {
  std::vector<int> clients;                 // those of this process, ascending
  std::vector<std::vector<Index>> samples;  // of each of these
  int everywhere;                           // clients, over all processes

  Index count() const;  // samples here
};

template <class Real>
Evaluated choose_evaluated(const Config& config, const Problem<Real>& problem, ClientRange here);

// With problem.evaluation and a notice where it is absent and the clients are too many to ask them all.
Config with_evaluation(Config config, int clients, bool own_points);

}  // namespace doc2s
