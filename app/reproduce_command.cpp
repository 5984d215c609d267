// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "aside.hpp"
#include "commands.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/threads.hpp"
#include "flags.hpp"
#include "lab_script.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "signals.hpp"
#include "study/reproduce/reproduction.hpp"
#include "table.hpp"

namespace doc2s::app {

namespace {

struct ReproduceArgs {
  std::string figure;  // or the beginning of some, or "all"
  std::string scale = "quick";
  std::string out;  // "" is runs/reproduce-SCALE
  int jobs = 0;     // 0: as many as there are cores
  bool list = false, quiet = false;
};

constexpr auto guarantee = "guarantee";  // lab/guarantee.py

[[noreturn]] void make_guarantee(const ReproduceArgs& args) {
  if (args.scale == "full")
    throw Error("the study guarantee has no such scale", "--scale full", "take quick or page");
  std::error_code unknown;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", unknown).string();
  become_lab_script(
      "guarantee.py",
      {program, (args.out.empty() ? "runs/reproduce-" + args.scale : args.out) + "/guarantee", args.scale},
      "reproduce guarantee");
}

int list_figures(Scale scale) {
  std::vector<std::vector<std::string>> table = {{"figure", "paper", "what"}};
  for (const auto& study : studies(scale)) {
    std::set<std::string> seen;
    for (const auto& view : study.views)
      if (seen.insert(view.figure).second) table.push_back({view.figure, view.paper, study.title});
  }
  for (const auto& one : measurements()) table.push_back({one.name, one.paper, one.title});
  table.push_back({guarantee, "-", "what a guarantee costs: bytes against certified bounds on a9a"});
  fmt::print("{}", left_table_text(table));
  return 0;
}

std::vector<std::string> row_of(const Shown& shown) {
  const Spread spread = spread_of(shown.of_measure());
  return {shown.line->label, shown.setting, fmt::format("{:.5g}", spread.mean),
          fmt::format("{:.5g}", spread.lowest), fmt::format("{:.5g}", spread.highest)};
}

void print_results(const Reproduction& reproduction, const Study& study, const StudyResults& results) {
  fmt::print("{}: {}\n", study.name, title_here(study));
  for (std::size_t v = 0; v < study.asked; ++v) {
    const View& view = study.views[v];
    fmt::print("{}, mean of the last tenth up to {} {}, {} seeds: {}\n", view.measure,
               with_commas(static_cast<Index>(view.budget)), view.axis, shown_seeds().size(),
               reproduction.figure_file(study, view));
    std::vector<std::vector<std::string>> table = {{"", "setting", "mean", "lowest", "highest"}};
    for (const auto& shown : results.shown)
      if (shown.view == &view) table.push_back(row_of(shown));
    print_table(table);
  }
  for (const auto& refused : results.refused)
    fmt::print("{} is refused: {}\n", refused.line->label, refused.reason);
  fmt::print("\n");
}

void print_measured(const Measured& measured) {
  for (const auto& table : measured.tables) {
    fmt::print("{}\n", table.title);
    print_table(table.rows);
    fmt::print("\n");
  }
}

int reproduce_command(const ReproduceArgs& args) {
  const Scale scale = scale_named(args.scale);
  if (args.list) return list_figures(scale);
  if (args.figure.empty())
    throw Error("no figure is named", "reproduce", "name one, or all; doc2s reproduce --list shows them");
  if (args.figure == guarantee) make_guarantee(args);
  const std::vector<Measurement> measured = measurements_named(args.figure);
  const bool measured_alone = !measured.empty() && args.figure != "all";
  const std::vector<Study> chosen = measured_alone ? std::vector<Study>() : studies_named(args.figure, scale);
  const std::string root = args.out.empty() ? "runs/reproduce-" + args.scale : args.out;
  ProgressLine line(args.quiet);
  const auto tell = [&](const std::string& news) {
    line.clear("setting up");
    if (!args.quiet) aside("{}\n", news);
  };
  Reproduction reproduction({scale, root, args.jobs > 0 ? args.jobs : usable_cores(), stop_requested, tell,
                             [&](const std::string& note) {
                               line.lift();
                               aside("doc2s: note: {}\n", note);
                             },
                             [&](const std::string& news) { line.show(news); }});
  listen_to_signals();
  std::vector<std::vector<std::string>> table = {{"figures", "runs", "seconds", "outcome"}};
  bool all_made = true;
  const auto failed = [&](const std::string& name, const std::string& failure) {
    all_made = false;
    tell(fmt::format("doc2s: {}: {}", name, failure));
    table.push_back({name, "-", "-", failure});
  };
  const auto made = [&](const std::string& name, std::size_t runs, double seconds, const std::string& file) {
    table.push_back({name, std::to_string(runs), fmt::format("{:.0f}", seconds), file});
  };
  for (const auto& study : chosen) {
    if (stop_requested) break;
    line.clear("setting up " + study.name);
    const auto [results, seconds, failure] = reproduction.make(study);
    line.clear();
    if (!failure.empty()) failed(study.name, failure);
    if (!results) continue;
    print_results(reproduction, study, *results);
    made(study.name, results->runs(), seconds, reproduction.folder(study) + "/settings.json");
  }
  for (const auto& measurement : measured) {
    if (stop_requested) break;
    line.clear("setting up " + measurement.name);
    const auto [results, seconds, failure] = reproduction.make(measurement);
    line.clear();
    if (!failure.empty()) failed(measurement.name, failure);
    if (!results) continue;
    print_measured(*results);
    made(measurement.name, results->runs, seconds, reproduction.file(measurement));
  }
  fmt::print("{}", left_table_text(table));
  return stop_requested ? 130 : all_made ? 0 : 2;
}

}  // namespace

void add_reproduce(CLI::App& program, Action& action) {
  auto args = std::make_shared<ReproduceArgs>();
  CLI::App* command = program.add_subcommand(
      "reproduce", "make the paper's figures: tune, run, report; continues after an interruption");
  command->footer(
      "Example:\n  doc2s reproduce first-samples-a9a\n  doc2s reproduce scaling --jobs 2\n  doc2s "
      "reproduce all --scale quick");
  command
      ->add_option(
          "figure", args->figure,
          "a figure, the beginning of some, scaling, theorem, travel, links and guarantee (beyond the "
          "paper), or all of the paper's")
      ->type_name("FIGURE");
  command->add_flag("--list", args->list, "show the figures");
  command
      ->add_option(
          "--scale", args->scale,
          "quick (minutes), page (hours: docs/results.md), full (the paper's size) or smoke (made-up data)")
      ->type_name("SCALE");
  command->add_option("--jobs", args->jobs, "runs at the same time; default: the number of cores")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command->add_option("--out", args->out, "directory to write into; default: runs/reproduce-SCALE")
      ->type_name("DIR");
  add_quiet(command, args->quiet);
  command->callback([=, &action] { action = [=] { return reproduce_command(*args); }; });
}

}  // namespace doc2s::app
