#pragma once
#include "doc2s/run/config.hpp"

namespace doc2s {

// Seconds that an iteration of the config's method takes on this machine with R rounds of gossip, by a short
// trial (well under a second, unless a single iteration takes longer). Large R are tried with fewer rounds
// and the time is scaled up: an estimate.
double seconds_an_iteration(const Config& config, double R);

}  // namespace doc2s
