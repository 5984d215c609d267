// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "contraction_probe.hpp"
#include "network/round_weights.hpp"
#include "recursion.hpp"

namespace doc2s {

// The rounds of a network that changes, in the order of the run.
template <class Real>
class ChangingRounds {
 public:
  ChangingRounds(const NetworkChange& change, std::uint64_t seed);  // the change outlives this

  // Plain rounds with the P_t of the next t, at most `most` and as many as are worth preparing at once. They
  // are there until the next call.
  RoundList<Real> next(Tick first, int most);
  Index edges_up() const { return edges_up_; }  // summed over these rounds

  ContractionProbe& probe() { return probe_; }

 private:
  void fill(Recursion<Real>& round) const;

  RoundWeights P_;
  std::vector<Recursion<Real>> rounds_;
  Index edges_up_ = 0;
  ContractionProbe probe_;
};

}  // namespace doc2s
