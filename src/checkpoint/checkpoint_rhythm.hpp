// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/base/types.hpp"
#include "doc2s/config/options.hpp"

namespace doc2s {

// run.checkpoint_every: "60s", "5min", "2h", a number of iterations, or "never".
class CheckpointRhythm {
 public:
  explicit CheckpointRhythm(const Settings& run);  // throws Error where it is none of these

  bool due(Index iteration, double seconds) const;
  void wrote(double seconds) { last_ = seconds; }  // a checkpoint is there since then

 private:
  double every_seconds_ = 0, last_ = 0;
  Index every_iterations_ = 0;  // 0: not by iterations
};

}  // namespace doc2s
