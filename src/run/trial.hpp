// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "doc2s/config/config.hpp"

namespace doc2s {

// Seconds that an iteration of the config's method takes on this machine with each of these counts of rounds
// of gossip, by trials of a fraction of a second (or one iteration, where that takes longer). Many rounds are
// tried with fewer and the time is scaled up: an estimate.
std::vector<double> seconds_an_iteration(const Config& config, const std::vector<double>& counts);

}  // namespace doc2s
