#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "study.hpp"

namespace doc2s {

// A line in a view: the setting it is shown with, its runs, and a figure of each: the mean of the view's
// measure over the last tenth of the way to the count that all lines reach on the view's axis.
struct Shown {
  const View* view;
  const Line* line;
  std::string setting;  // "eta=0.01,D=0.05"; "" where nothing was tuned
  std::vector<SweepCase> cases;
  std::vector<double> figures;  // one a case; NaN where a run diverged
};

struct Spread {
  double mean, lowest, highest;  // NaN where one of the figures is
};
Spread spread_of(const std::vector<double>& figures);

// A run of the grid.
struct Tried {
  const Line* line;
  SweepCase one;
  Status status;
  std::vector<double> figures;  // one a view; NaN where the run diverged
};

struct Refused {
  const Line* line;
  std::string reason;
};

struct StudyResults {
  std::vector<double> budgets;  // one a view: the largest count on its axis that every line reaches
  std::vector<Tried> grid;
  std::vector<Shown> shown;  // view by view
  std::vector<Refused> refused;

  std::size_t runs() const;  // different ones
};

// Runs the cases that are open, several at a time; false: it was interrupted.
using RunCases = std::function<bool(const std::vector<SweepCase>&)>;

// Settings are chosen for each view and each line by one rule: the least figure of the tuning seed's run, a
// diverged run loses, the earlier in the grid wins a tie. Nothing where it was interrupted.
std::optional<StudyResults> carry_out(const Study& study, const std::string& root, const RunCases& run_cases);

// Settings, grid and figures as a JSON object.
std::string settings_text(const Study& study, Scale scale, const StudyResults& results);

}  // namespace doc2s
