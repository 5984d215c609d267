// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "doc2s/base/state.hpp"
#include "network/round_weights.hpp"

namespace doc2s {

// n numbers of mean 0 that go through every round of a run, so that what the rounds leave of a disagreement
// can be measured. All processes compute them.
class ContractionProbe {
 public:
  ContractionProbe(int clients, std::uint64_t seed);

  void pass(const RoundWeights& P);        // a round
  std::optional<double> measured() const;  // the geometric mean over the rounds so far
  void state(State& state);

 private:
  double centre();  // takes the mean away, makes the length 1, and says what it was

  const std::uint64_t seed_;
  std::vector<double> numbers_, before_;
  double logarithms_ = 0;  // of what each round left, summed
  Index rounds_ = 0;
  void draw();
};

}  // namespace doc2s
