// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "experiment.hpp"

namespace doc2s {

// What tells one problem on one network from another: f_i at a point near the start, for each client of this
// process, hashed with how many samples it holds and with its row of P.
template <class Real>
std::vector<std::uint64_t> fingerprint(const Experiment<Real>& experiment);

}  // namespace doc2s
