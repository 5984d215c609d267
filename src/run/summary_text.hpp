// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "doc2s/run/run.hpp"
#include "experiment.hpp"

namespace doc2s {

// summary.json; `held`: samples that each process holds
template <class Real>
std::string summary_text(const Experiment<Real>& experiment, const Summary& summary,
                         const std::vector<Index>& held);

}  // namespace doc2s
