#include "results.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "doc2s/base/error.hpp"
#include "run_figures.hpp"

namespace doc2s {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

struct LineCases {
  const Line* line;
  std::vector<Changes> settings;
  std::vector<SweepCase> cases;
};

// The largest count that every line reaches with some run; a line whose runs all diverged has no say.
double common_count(const std::vector<LineCases>& lines, const std::string& axis) {
  double common = std::numeric_limits<double>::infinity();
  for (const auto& line : lines) {
    double reached = 0;
    for (const auto& one : line.cases) reached = std::max(reached, last_count(one, axis));
    if (reached > 0) common = std::min(common, reached);
  }
  return std::isfinite(common) ? common : 0;
}

std::size_t best_of(const std::vector<SweepCase>& cases, const View& view, double budget) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < cases.size(); ++k)
    if (const double figure = figure_of(cases[k], view, budget); figure < least) least = figure, best = k;
  return best;
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
          run_cases_(shown_cases(study_, line, {}, root_));
        } catch (const Error& error) {
          results_.refused.push_back({&line, error.what()});
          continue;
        }
      lines_.push_back({&line, combinations(line.grid), {}});
    }
  }

  bool tune() {
    const auto has_a_choice = [](const LineCases& line) { return line.settings.size() > 1; };
    if (std::none_of(lines_.begin(), lines_.end(), has_a_choice)) return true;
    std::vector<SweepCase> all;
    for (auto& line : lines_) {
      line.cases = tuning_cases(study_, *line.line, root_);
      all.insert(all.end(), line.cases.begin(), line.cases.end());
    }
    if (!run_cases_(all)) return false;
    for (const auto& line : lines_)
      for (const auto& one : line.cases) results_.grid.push_back({line.line, one, status_of(one), {}});
    find_budgets(lines_);
    for (auto& tried : results_.grid)
      for (std::size_t v = 0; v < study_.views.size(); ++v)
        tried.figures.push_back(figure_of(tried.one, study_.views[v], results_.budgets[v]));
    return true;
  }

  void find_budgets(const std::vector<LineCases>& lines) {
    results_.budgets.clear();
    for (const auto& view : study_.views) results_.budgets.push_back(common_count(lines, view.axis));
  }

  bool show() {
    std::vector<SweepCase> all;
    std::vector<LineCases> reached;
    for (std::size_t v = 0; v < study_.views.size(); ++v)
      for (const auto& line : lines_) {
        const std::size_t best =
            line.cases.empty() ? 0 : best_of(line.cases, study_.views[v], results_.budgets[v]);
        const Changes& setting = line.settings[best];
        Shown shown{&study_.views[v],
                    line.line,
                    setting.empty() ? "" : name_of(setting),
                    shown_cases(study_, *line.line, setting, root_),
                    {}};
        all.insert(all.end(), shown.cases.begin(), shown.cases.end());
        reached.push_back({line.line, {}, shown.cases});
        results_.shown.push_back(std::move(shown));
      }
    if (!run_cases_(all)) return false;
    if (results_.budgets.empty()) find_budgets(reached);
    for (auto& shown : results_.shown)
      for (const auto& one : shown.cases)
        shown.figures.push_back(
            figure_of(one, *shown.view, results_.budgets[shown.view - study_.views.data()]));
    return true;
  }

  const Study& study_;
  const std::string& root_;
  const RunCases& run_cases_;
  std::vector<LineCases> lines_;
  StudyResults results_;
};

}  // namespace

Spread spread_of(const std::vector<double>& figures) {
  Spread spread{0, nothing, nothing};
  for (const double figure : figures) {
    spread.mean += figure / static_cast<double>(figures.size());
    spread.lowest = std::fmin(spread.lowest, figure);
    spread.highest = std::fmax(spread.highest, figure);
  }
  return std::isnan(spread.mean) ? Spread{nothing, nothing, nothing} : spread;
}

std::size_t StudyResults::runs() const {
  std::set<std::string> directories;
  for (const auto& tried : grid) directories.insert(tried.one.directory);
  for (const auto& one : shown)
    for (const auto& run : one.cases) directories.insert(run.directory);
  return directories.size();
}

std::optional<StudyResults> carry_out(const Study& study, const std::string& root,
                                      const RunCases& run_cases) {
  return Work(study, root, run_cases).carry_out();
}

}  // namespace doc2s
