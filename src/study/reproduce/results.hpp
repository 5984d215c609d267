// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "study.hpp"
#include "study/run_scores.hpp"

namespace doc2s {

// A line in a view: the setting it is shown with, its runs, and their figures by measure: the mean over the
// last tenth of the way to the view's budget.
struct Shown {
  const View* view;
  const Line* line;
  std::string setting;  // "eta=0.01,D=0.05"; "" where nothing was tuned
  std::vector<StudyCase> cases;
  std::map<std::string, std::vector<double>> figures{};  // one a case; NaN where a run diverged

  const std::vector<double>& of_measure() const { return figures.at(view->measure); }
};

// A run that settings were chosen by.
struct Tried {
  const View* view;
  const Line* line;
  StudyCase one;
  Status status;
  double figure;  // NaN where the run diverged
};

struct Refused {
  const Line* line;
  std::string reason;
};

struct StudyResults {
  std::vector<Tried> grid;
  std::vector<Shown> shown;  // view by view
  std::vector<Refused> refused;

  std::size_t runs() const;  // different ones
};

// Settings are chosen for each view and each line by one rule: the least figure of the tuning seed's run, a
// diverged run loses, the earlier in the grid wins a tie. Nothing where it was interrupted.
std::optional<StudyResults> carry_out(const Study& study, const std::string& root, const RunCases& run_cases);

// Settings, grid and figures as a JSON object.
std::string settings_text(const Study& study, Scale scale, const StudyResults& results);

}  // namespace doc2s
