// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "checkpoint/checkpoint_rhythm.hpp"
#include "checkpoint/checkpoints.hpp"
#include "doc2s/run/run.hpp"
#include "experiment.hpp"
#include "run_state.hpp"
#include "shared_folder.hpp"

namespace doc2s {

bool asks_for_checkpoints(const Settings& run);

// When a run writes a checkpoint, what is in it, and how the run continues from one. Every process calls the
// same functions. Layers: Runner → CheckpointKeeper (when, what) → Checkpoints (files, manifest) →
// CheckpointWriter and CheckpointReader (bytes); resumption.hpp decides whether a run may continue.
template <class Real>
class CheckpointKeeper {
 public:
  CheckpointKeeper(Experiment<Real>& experiment, std::vector<std::uint64_t> fingerprint,
                   const RunOptions& options, const SharedFolder& folder);

  // At the first process, before the first record, and when the run has come to its end.
  void begin() const;
  void end() const { checkpoints_.remove_start(); }

  // Puts the experiment, and `at`, where the newest checkpoint is; false where there is none.
  bool resume(RunState& at);

  bool due(Index iteration, double elapsed) const { return !is_off_ && rhythm_.due(iteration, elapsed); }
  // Whether the end gets a checkpoint: one was written before, or the config asks for them.
  bool keeps_the_end() const;

  // Once an iteration. `sync` brings the run's files to the disk and notes their lengths.
  bool tried(Index iteration) const { return is_off_ || iteration == tried_; }
  void write(RunState& at, const std::function<void()>& sync);
  void wrote(double elapsed) { rhythm_.wrote(elapsed); }

  Index last() const { return last_; }  // the iteration; −1: there is none

 private:
  void list(RunState& at, State& state);
  Checkpoints::Texts texts(const RunState& at) const;
  void miss(Index iteration, const std::string& reason) const;
  void warn(const std::string& warning) const;

  Experiment<Real>& experiment_;
  const RunOptions& options_;
  const std::string directory_;  // as every process finds it
  const bool is_off_;            // unless one does not
  CheckpointRhythm rhythm_;
  Checkpoints checkpoints_;
  std::vector<std::uint64_t> fingerprint_;  // of the clients here
  Index last_ = -1, tried_ = -1;            // iterations
};

}  // namespace doc2s
