// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "halving.hpp"
#include "study/sweep.hpp"
#include "trial_file.hpp"
#include "tune.hpp"

namespace doc2s {

// The search for one method's values: draws, rungs, and the best with fresh seeds. What the folder holds of
// an earlier, interrupted one is not done again.
class MethodSearch {
 public:
  MethodSearch(const TuneRequest& request, const TuneOptions& options, const Config& config);

  // Throws Error where the config itself is refused, or has nothing to tune.
  void check() const;

  std::optional<TunedMethod> carry_out();  // nothing where it was interrupted

 private:
  void draw_trials();
  void settle(int trial);
  void take_values(int trial, const std::vector<double>& positions);

  bool climb();   // false where it was interrupted, as the next two
  bool report();  // the best with the seeds that are reported
  bool go(const std::vector<int>& runs, std::size_t rung, double share, const std::string& stage);
  std::vector<int> best_of(const std::vector<int>& trials, std::size_t rung, int keep) const;
  void note(const std::string& directory, const Summary& summary);
  double worth(const Reached& reached) const;
  std::string news(const std::string& stage, std::size_t done, std::size_t all) const;
  std::string directory(const std::string& name) const;
  SweepCase case_of(int run, double share) const;
  TunedMethod result() const;

  // A trial, or the best one's values with another seed.
  struct SearchRun {
    std::string name, directory;
    Config config;
    std::vector<Value> values;
    double pace = 1;  // of the budget's count, an iteration
    std::vector<Reached> rungs{};
    std::string refusal{};
  };

  const TuneRequest& request_;
  const TuneOptions& options_;
  const Config config_;
  const std::vector<SearchRange> ranges_;
  const bool spaced_;            // records are spaced by the budget
  std::vector<SearchRun> runs_;  // the trials, then the seeds
  int best_ = 0;
};

}  // namespace doc2s
