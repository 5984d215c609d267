#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <set>

#include "carry_out.hpp"
#include "commands.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/text.hpp"
#include "doc2s/base/threads.hpp"
#include "doc2s/data/files.hpp"
#include "doc2s/report/report.hpp"
#include "doc2s/reproduce/results.hpp"
#include "progress.hpp"
#include "run_cases.hpp"
#include "table.hpp"

namespace doc2s::app {

namespace fs = std::filesystem;

namespace {

using Table = std::vector<std::vector<std::string>>;
constexpr const char* marker = "reproduce.txt";  // in the folder that is ours, with the scale

int list_figures(Scale scale) {
  Table table = {{"figure", "paper", "what"}};
  for (const auto& study : studies(scale)) {
    std::set<std::string> seen;
    for (const auto& view : study.views)
      if (seen.insert(view.figure).second) table.push_back({view.figure, study.paper, study.title});
  }
  fmt::print("{}", left_table_text(table));
  return 0;
}

void claim_folder(const std::string& root, Scale scale) {
  const fs::path mark = fs::path(root) / marker;
  std::error_code failed;
  if (fs::exists(root) && !fs::is_directory(root))
    throw Error("is not a directory", root, "give another --out");
  if (fs::exists(root) && !fs::is_empty(root) && !fs::exists(mark))
    throw Error("holds other things than what doc2s reproduce made", root, "give another --out");
  if (fs::exists(mark) && read_plain(mark.string()) != name_of(scale) + "\n")
    throw Error("holds figures of another scale", root, "give another --out");
  fs::create_directories(root, failed);
  if (failed) throw_system_error("cannot be made a directory", root, failed.value());
  write_whole_file(mark.string(), name_of(scale) + "\n");
}

// Carries out one study after the other in a folder.
class Reproduction {
 public:
  Reproduction(const ReproduceWords& words, Scale scale, std::string root)
      : scale_(scale),
        root_(std::move(root)),
        jobs_(words.jobs > 0 ? words.jobs : usable_cores()),
        quiet_(words.quiet) {}

  void make(const Study& study) {
    const std::string reason = obstacle(study);
    if (!reason.empty()) return set_aside(study, "skipped: " + reason);
    const auto start = std::chrono::steady_clock::now();
    try {
      const auto results =
          carry_out(study, root_, [&](const std::vector<SweepCase>& cases) { return run(study, cases); });
      if (!results) return;
      write(study, *results);
      tell(study, *results);
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
      outcomes_.push_back({study.name, std::to_string(results->runs()),
                           fmt::format("{:.0f}", seconds.count()),
                           fmt::format("{}/report.html", folder(study))});
    } catch (const Error& error) {
      if (error.exit_code() != 2) throw;
      set_aside(study, fmt::format("failed: {}", error.what()));
    }
  }

  int finish() const {
    fmt::print("{}", left_table_text(outcomes_));
    return stop_requested ? 130 : all_made_ ? 0 : 2;
  }

 private:
  std::string folder(const Study& study) const { return root_ + "/" + study.name; }

  void set_aside(const Study& study, const std::string& why) {
    all_made_ = false;
    if (!quiet_) fmt::print(stderr, "doc2s: {}: {}\n", study.name, why);
    outcomes_.push_back({study.name, "-", "-", why});
  }

  // A run that is there already is not made again, and one of another config makes room. The n×d outputs
  // would fill the disk: a replay brings them back.
  bool run(const Study& study, const std::vector<SweepCase>& cases) const {
    std::vector<SweepCase> open;
    std::set<std::string> seen;
    for (const auto& one : cases) {
      if (holds_another(one)) fs::remove_all(one.directory);
      const std::string status = status_of(one);
      if ((status.empty() || status == "interrupted") && seen.insert(one.directory).second)
        open.push_back(one);
    }
    std::size_t done = 0;
    run_cases(open, jobs_, [&](const SweepCase& one, const Summary& summary) {
      fs::remove(one.directory + "/output.npy");
      ++done;
      if (!quiet_)
        fmt::print(stderr, "{}, {} of {}: {} {}, loss {}\n", study.name, done, open.size(), one.name,
                   summary.status, figure(summary.last.loss_mean_point));
    });
    return !stop_requested;
  }

  void write(const Study& study, const StudyResults& results) {
    write_whole_file(folder(study) + "/settings.json", settings_text(study, scale_, results));
    std::vector<std::string> directories;
    for (const auto& shown : results.shown)
      for (const auto& one : shown.cases) directories.push_back(one.directory);
    write_whole_file(folder(study) + "/report.html", report_page(read_runs(directories), title_here(study)));
    for (std::size_t v = 0; v < study.views.size(); ++v)
      draw(study, study.views[v], results, results.budgets[v]);
  }

  void draw(const Study& study, const View& view, const StudyResults& results, double budget) {
    std::vector<std::string> directories;
    for (const auto& shown : results.shown)
      if (shown.view == &view)
        for (const auto& one : shown.cases) directories.push_back(one.directory);
    if (!has_gnuplot_) return;
    try {
      write_figure(read_runs(directories), view.axis, view.measure, budget,
                   fmt::format("{}/{}-{}.svg", folder(study), view.measure, view.axis));
    } catch (const Error& error) {
      if (error.exit_code() != 2) throw;
      has_gnuplot_ = false;
      fmt::print(stderr, "doc2s: note: no SVG figures: {}\n", error.what());
    }
  }

  void tell(const Study& study, const StudyResults& results) const {
    fmt::print("{}: {}\n", study.name, title_here(study));
    for (std::size_t v = 0; v < study.asked; ++v) {
      const View& view = study.views[v];
      fmt::print("{}, mean of the last tenth up to {} {}, {} seeds: {}/{}-{}.svg\n", view.measure,
                 with_commas(static_cast<Index>(results.budgets[v])), view.axis, shown_seeds().size(),
                 folder(study), view.measure, view.axis);
      Table table = {{"", "setting", "mean", "lowest", "highest"}};
      for (const auto& shown : results.shown)
        if (shown.view == &view) table.push_back(row_of(shown));
      print_table(table);
    }
    for (const auto& refused : results.refused)
      fmt::print("{} is refused: {}\n", refused.line->label, refused.reason);
    fmt::print("\n");
  }

  static std::vector<std::string> row_of(const Shown& shown) {
    const Spread spread = spread_of(shown.figures);
    return {shown.line->label, shown.setting, fmt::format("{:.5g}", spread.mean),
            fmt::format("{:.5g}", spread.lowest), fmt::format("{:.5g}", spread.highest)};
  }

  const Scale scale_;
  const std::string root_;
  const int jobs_;
  const bool quiet_;
  bool all_made_ = true, has_gnuplot_ = true;
  Table outcomes_ = {{"figures", "runs", "seconds", "outcome"}};
};

}  // namespace

int reproduce_command(const ReproduceWords& words) {
  const Scale scale = scale_named(words.scale);
  if (words.list) return list_figures(scale);
  if (words.figure.empty())
    throw Error("no figure is named", "reproduce", "name one, or all; doc2s reproduce --list shows them");
  const std::vector<Study> chosen = studies_named(words.figure, scale);
  const std::string root = words.out.empty() ? "runs/reproduce-" + words.scale : words.out;
  claim_folder(root, scale);
  listen_to_signals();
  Reproduction reproduction(words, scale, root);
  for (const auto& study : chosen)
    if (!stop_requested) reproduction.make(study);
  return reproduction.finish();
}

}  // namespace doc2s::app
