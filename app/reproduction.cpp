#include "reproduction.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <set>

#include "aside.hpp"
#include "carry_out.hpp"
#include "doc2s/base/error.hpp"
#include "progress.hpp"
#include "report/report.hpp"
#include "run_cases.hpp"
#include "table.hpp"

namespace doc2s::app {

namespace fs = std::filesystem;

namespace {

// Of the runs that are shown, in this view or in all.
std::vector<std::string> directories_of(const StudyResults& results, const View* view = nullptr) {
  std::vector<std::string> directories;
  for (const auto& shown : results.shown)
    for (const auto& one : shown.cases)
      if (!view || shown.view == view) directories.push_back(one.directory);
  return directories;
}

// Without those that are there already; one of another config makes room.
std::vector<SweepCase> open_cases(const std::vector<SweepCase>& cases) {
  std::vector<SweepCase> open;
  std::set<std::string> seen;
  for (const auto& one : cases) {
    if (holds_another(one)) fs::remove_all(one.directory);
    const std::string status = status_of(one);
    const bool done = !status.empty() && status != "interrupted";
    if (!done && seen.insert(one.directory).second) open.push_back(one);
  }
  return open;
}

// What holds n×d numbers would fill the disk; a replay brings the outputs back.
void drop_large_files(const std::string& directory) {
  fs::remove(directory + "/output.npy");
  fs::remove_all(directory + "/checkpoint");
}

std::vector<std::string> row_of(const Shown& shown) {
  const Spread spread = spread_of(shown.figures);
  return {shown.line->label, shown.setting, fmt::format("{:.5g}", spread.mean),
          fmt::format("{:.5g}", spread.lowest), fmt::format("{:.5g}", spread.highest)};
}

}  // namespace

Reproduction::Reproduction(Scale scale, std::string root, int jobs, bool quiet)
    : scale_(scale), root_(std::move(root)), jobs_(jobs), quiet_(quiet) {}

void Reproduction::make(const Study& study) {
  const std::string reason = obstacle(study);
  if (!reason.empty()) return set_aside(study, "skipped: " + reason);
  const auto start = std::chrono::steady_clock::now();
  try {
    const auto results = doc2s::carry_out(
        study, root_, [&](const std::vector<SweepCase>& cases) { return run(study, cases); });
    if (!results) return;  // interrupted
    write(study, *results);
    tell(study, *results);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    outcomes_.push_back({study.name, std::to_string(results->runs()), fmt::format("{:.0f}", seconds.count()),
                         folder(study) + "/report.html"});
  } catch (const Error& error) {
    if (error.exit_code() != 2) throw;
    set_aside(study, fmt::format("failed: {}", error.what()));
  }
}

int Reproduction::finish() const {
  fmt::print("{}", left_table_text(outcomes_));
  if (stop_requested) return 130;
  return all_made_ ? 0 : 2;
}

std::string Reproduction::figure_file(const Study& study, const View& view) const {
  return fmt::format("{}/{}-{}.svg", folder(study), view.measure, view.axis);
}

void Reproduction::set_aside(const Study& study, const std::string& why) {
  all_made_ = false;
  if (!quiet_) aside("doc2s: {}: {}\n", study.name, why);
  outcomes_.push_back({study.name, "-", "-", why});
}

bool Reproduction::run(const Study& study, const std::vector<SweepCase>& cases) const {
  const std::vector<SweepCase> open = open_cases(cases);
  std::size_t done = 0;
  run_cases(open, jobs_, [&](const SweepCase& one, const Summary& summary) {
    if (summary.status == "interrupted") return;
    drop_large_files(one.directory);
    ++done;
    if (!quiet_)
      aside("{}, {} of {}: {} {}, loss {}\n", study.name, done, open.size(), one.name, summary.status,
            figure(summary.last.loss_mean_point));
  });
  return !stop_requested;
}

void Reproduction::write(const Study& study, const StudyResults& results) {
  write_whole_file(folder(study) + "/settings.json", settings_text(study, scale_, results));
  write_whole_file(folder(study) + "/report.html",
                   report_page(read_runs(directories_of(results)), title_here(study)));
  for (std::size_t v = 0; v < study.views.size(); ++v)
    if (can_draw_) draw(study, study.views[v], results, results.budgets[v]);
}

void Reproduction::draw(const Study& study, const View& view, const StudyResults& results, double budget) {
  try {
    write_figure(read_runs(directories_of(results, &view)), view.axis, view.measure, budget,
                 figure_file(study, view));
  } catch (const Error& error) {
    if (error.exit_code() != 2) throw;
    can_draw_ = false;
    aside("doc2s: note: no SVG figures are drawn: {}\n", error.what());
  }
}

void Reproduction::tell(const Study& study, const StudyResults& results) const {
  fmt::print("{}: {}\n", study.name, title_here(study));
  for (std::size_t v = 0; v < study.asked; ++v) {
    const View& view = study.views[v];
    fmt::print("{}, mean of the last tenth up to {} {}, {} seeds: {}\n", view.measure,
               with_commas(static_cast<Index>(results.budgets[v])), view.axis, shown_seeds().size(),
               figure_file(study, view));
    std::vector<std::vector<std::string>> table = {{"", "setting", "mean", "lowest", "highest"}};
    for (const auto& shown : results.shown)
      if (shown.view == &view) table.push_back(row_of(shown));
    print_table(table);
  }
  for (const auto& refused : results.refused)
    fmt::print("{} is refused: {}\n", refused.line->label, refused.reason);
  fmt::print("\n");
}

}  // namespace doc2s::app
