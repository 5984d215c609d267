// SPDX-License-Identifier: Apache-2.0
#include "reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <set>

#include "base/file_writer.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "report/report.hpp"
#include "study/own_folder.hpp"

namespace doc2s {

namespace fs = std::filesystem;

namespace {

// A file in it says that the folder is ours, and of which scale.
void take_folder(const std::string& root, Scale scale) {
  const std::string mark = "reproduce.txt", text = name_of(scale) + "\n";
  check_folder(root, mark, text, "doc2s reproduce", "figures of another scale");
  claim_folder(root, mark, text);
}

// Of the runs that are shown, in this view or in all.
std::vector<std::string> directories_of(const StudyResults& results, const View* view = nullptr) {
  std::vector<std::string> directories;
  for (const auto& shown : results.shown)
    for (const auto& one : shown.cases)
      if (!view || shown.view == view) directories.push_back(one.run.directory);
  return directories;
}

// Without those that are there already; one of another config makes room.
std::vector<SweepCase> open_cases(const std::vector<SweepCase>& cases) {
  std::vector<SweepCase> open;
  std::set<std::string> seen;
  for (const auto& one : cases) {
    if (holds_another(one)) fs::remove_all(one.directory);
    if (!has_ended(status_of(one)) && seen.insert(one.directory).second) open.push_back(one);
  }
  return open;
}

}  // namespace

Reproduction::Reproduction(ReproductionOptions options) : options_(std::move(options)) {
  take_folder(options_.root, options_.scale);
}

Outcome Reproduction::make(const Study& study) {
  Outcome outcome;
  if (const std::string reason = obstacle(study); !reason.empty()) {
    outcome.failure = "skipped: " + reason;
    return outcome;
  }
  const auto start = std::chrono::steady_clock::now();
  try {
    outcome.results = carry_out(study, options_.root,
                                [&](const std::vector<SweepCase>& cases) { return run(study.name, cases); });
    if (outcome.results) write(study, *outcome.results);
  } catch (const Error& error) {
    if (error.exit_code() != 2) throw;
    return {std::nullopt, 0, fmt::format("failed: {}", error.what())};
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

MeasurementOutcome Reproduction::make(const Measurement& measurement) {
  MeasurementOutcome outcome;
  const auto start = std::chrono::steady_clock::now();
  const std::string folder = options_.root + "/" + measurement.name;
  try {
    const auto run_cases = [&](const std::vector<SweepCase>& cases) {
      return run(measurement.name, cases, measurement.keeps_outputs);
    };
    outcome.measured =
        measurement.carry_out(options_.scale, folder, {run_cases, options_.jobs, options_.stop, going()});
  } catch (const Error& error) {
    if (error.exit_code() != 2) throw;
    outcome.failure = fmt::format("failed: {}", error.what());
    return outcome;
  }
  if (outcome.measured) {
    write_whole_file(file(measurement), outcome.measured->json);
    for (const auto& [axis, measure, directories, up_to] : outcome.measured->figures)
      draw(directories, axis, measure, up_to, folder);
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

std::string Reproduction::file(const Measurement& measurement) const {
  return fmt::format("{0}/{1}/{1}.json", options_.root, measurement.name);
}

std::string Reproduction::figure_file(const Study& study, const View& view) const {
  return fmt::format("{}/{}-{}.svg", folder(study), view.measure, view.axis);
}

bool Reproduction::run(const std::string& study, const std::vector<SweepCase>& cases,
                       bool keep_outputs) const {
  const std::vector<SweepCase> open = open_cases(cases);
  for (const auto& one : cases)  // one that was killed may not have come to it
    if (has_ended(status_of(one))) drop_large_files(one.directory, keep_outputs);
  std::size_t done = 0;
  run_cases(
      open, options_.jobs, options_.stop,
      [&](const SweepCase& one, const Summary& summary) {
        if (summary.status == Status::interrupted) return;
        drop_large_files(one.directory, keep_outputs);
        options_.on_progress(
            fmt::format("{}, {} of {}: {}", study, ++done, open.size(), outcome_text(one, summary)));
      },
      [&](double share) {
        going()(fmt::format("{}, {} of {} runs, {:.0f}%", study, done, open.size(),
                            100 * share / static_cast<double>(open.size())));
      });
  return !options_.stop;
}

std::function<void(const std::string& news)> Reproduction::going() const {
  return options_.on_going ? options_.on_going : [](const std::string&) {};
}

void Reproduction::write(const Study& study, const StudyResults& results) {
  write_whole_file(folder(study) + "/settings.json", settings_text(study, options_.scale, results));
  if (std::ranges::none_of(study.views, &View::drawn)) return;
  write_whole_file(folder(study) + "/report.html",
                   report_page(read_runs(directories_of(results)), title_here(study)));
  for (const View& view : study.views)
    if (view.drawn) draw(directories_of(results, &view), view.axis, view.measure, view.budget, folder(study));
}

void Reproduction::draw(const std::vector<std::string>& directories, const std::string& axis,
                        const std::string& measure, double budget, const std::string& folder) {
  if (!can_draw_) return;
  try {
    write_figures(read_runs(directories), {{.measure = measure, .axis = axis, .up_to = budget}}, folder,
                  ReportFile::svg);
  } catch (const Error& error) {
    if (error.exit_code() != 2) throw;
    can_draw_ = false;
    options_.on_note(fmt::format("no SVG figures are drawn: {}", error.what()));
  }
}

}  // namespace doc2s
