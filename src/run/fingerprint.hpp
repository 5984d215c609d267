// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "experiment.hpp"

namespace doc2s {

// What tells one problem on one network from another: f_i at a point near the start, for each client of this
// process, hashed with how many samples it holds and with its row of P.
template <class Real>
std::vector<std::uint64_t> fingerprint(const Experiment<Real>& experiment);

// One hash over x0 and the clients' fingerprints in client order, alike in every process; "" but for a
// problem of the user's own.
template <class Real>
std::string own_problem_hash(const Experiment<Real>& experiment, const std::vector<std::uint64_t>& here);

}  // namespace doc2s
