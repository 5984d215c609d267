// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "run_scores.hpp"
#include "sweep.hpp"

namespace doc2s {

// How runs are compared: by which measure, and where on which count.
struct Yardstick {
  const Quantity* measure;
  const Quantity* count;  // nullptr compares at the end
  double most;

  double worth(double figure) const;  // less is better; infinite where there is no figure
};
Yardstick yardstick(const std::string& measure, const std::string& at);  // "loss_worst", "samples=4000"

// Throws Error where the records of this config's run would not have the measure.
void check_recorded(const Config& config, const Quantity& measure);

// What a setting may be chosen by: of accuracy or test_rmse the same on the rows of problem.validation.
// Throws Error where the config has none; a problem of the user's own measures what it likes.
const Quantity& measure_to_choose_by(const Config& config, const Quantity& asked);

struct SweepResult {
  double figure;    // the measure; NaN where it was not finite or not recorded
  Index iteration;  // of the record it is from
  Status status = Status::finished;

  // One that diverged has no figure, unless it was beyond the yardstick's count by then.
  bool counts = true;
};

// From the last record that is within the yardstick's count and has the measure.
SweepResult result_of(const SweepCase& one, const Yardstick& by);

struct RankedCase {
  const SweepCase* one;
  SweepResult result;
};

// The runs of one method and one combination of values, which differ in their seeds alone.
struct RankedSetting {
  std::string name;                // "doc2s/eta=0.001,D=0.05"
  std::vector<RankedCase> runs{};  // those that have ended, the best first
  Index asked = 0;                 // runs, with those that have not
  Index counted = 0;               // in the spread: neither diverged nor without the measure
  Spread spread{};
  bool best_of_method = false;  // by its mean

  std::string method() const;  // its label
  bool is_whole() const { return counted == asked; }
  bool overlaps(const RankedSetting& other) const {  // in the range of their runs' figures
    return spread.lowest <= other.spread.highest && other.spread.lowest <= spread.highest;
  }
};

// Those with a run that has ended: first the ones whose runs all count, by their mean, the best first; then
// those that lost some; then those without a figure.
std::vector<RankedSetting> ranked(const std::vector<SweepCase>& cases, const Yardstick& by);

// "of 3 runs 1 diverged and 1 is not done; the mean is of the others"; "" where all count.
std::string lost_text(const RankedSetting& setting, const Yardstick& by);

// A row a run, with what its setting came to.
void write_ranking(const std::string& root, const std::vector<RankedSetting>& settings,
                   const Yardstick& by);  // sweep.csv
std::string ranking_json(const std::vector<RankedSetting>& settings, const Yardstick& by);

}  // namespace doc2s
