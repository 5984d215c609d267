// SPDX-License-Identifier: Apache-2.0
#include "results.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "doc2s/base/error.hpp"
#include "run_figures.hpp"

namespace doc2s {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

std::vector<SweepCase> runs_of(const std::vector<StudyCase>& cases) {
  std::vector<SweepCase> runs;
  for (const StudyCase& one : cases) runs.push_back(one.run);
  return runs;
}

class Work {
 public:
  Work(const Study& study, const std::string& root, const RunCases& run_cases)
      : study_(study), root_(root), run_cases_(run_cases) {}

  std::optional<StudyResults> carry_out() {
    try_the_refused();
    if (!tune() || !show()) return std::nullopt;
    return std::move(results_);
  }

 private:
  // A refusal comes before the first iteration.
  void try_the_refused() {
    for (const Line& line : study_.lines) {
      if (line.may_be_refused) try {
          run_cases_(runs_of(shown_cases(study_, study_.views.front(), line, {}, root_)));
        } catch (const Error& error) {
          results_.refused.push_back({&line, error.what()});
          continue;
        }
      lines_.push_back(&line);
    }
  }

  bool tune() {
    std::vector<StudyCase> all;
    for (const View& view : study_.views)
      for (const Line* line : lines_)
        if (line->settings.size() > 1)
          for (StudyCase& one : tuning_cases(study_, view, *line, root_)) {
            results_.grid.push_back({&view, line, one, Status::running, nothing});
            all.push_back(std::move(one));
          }
    if (!run_cases_(runs_of(all))) return false;
    for (Tried& tried : results_.grid) {
      tried.status = status_of(tried.one.run);
      tried.figure = figure_of(tried.one.run, tried.view->axis, tried.view->measure,
                               study_.tuning_share * tried.view->budget);
    }
    return true;
  }

  // The grid has the settings of a view and line in their order.
  const Changes& best_setting(const View& view, const Line& line) const {
    std::size_t best = 0, k = 0;
    double least = std::numeric_limits<double>::infinity();
    for (const Tried& tried : results_.grid) {
      if (tried.view != &view || tried.line != &line) continue;
      if (tried.figure < least) least = tried.figure, best = k;
      ++k;
    }
    return line.settings[best];
  }

  bool show() {
    std::vector<StudyCase> all;
    for (const View& view : study_.views)
      for (const Line* line : lines_) {
        const Changes& setting = best_setting(view, *line);
        results_.shown.push_back({&view, line, setting.empty() ? "" : name_of(setting),
                                  shown_cases(study_, view, *line, setting, root_)});
        const auto& cases = results_.shown.back().cases;
        all.insert(all.end(), cases.begin(), cases.end());
      }
    if (!run_cases_(runs_of(all))) return false;
    for (Shown& shown : results_.shown) {
      std::vector<std::string> measures = {shown.view->measure};
      measures.insert(measures.end(), shown.view->also.begin(), shown.view->also.end());
      for (const std::string& measure : measures)
        for (const StudyCase& one : shown.cases)
          shown.figures[measure].push_back(figure_of(one.run, shown.view->axis, measure, shown.view->budget));
    }
    return true;
  }

  const Study& study_;
  const std::string& root_;
  const RunCases& run_cases_;
  std::vector<const Line*> lines_;
  StudyResults results_;
};

}  // namespace

std::size_t StudyResults::runs() const {
  std::set<std::string> directories;
  for (const auto& tried : grid) directories.insert(tried.one.run.directory);
  for (const auto& one : shown)
    for (const auto& each : one.cases) directories.insert(each.run.directory);
  return directories.size();
}

std::optional<StudyResults> carry_out(const Study& study, const std::string& root,
                                      const RunCases& run_cases) {
  return Work(study, root, run_cases).carry_out();
}

}  // namespace doc2s
