// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "aside.hpp"
#include "commands.hpp"
#include "flags.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "run/ended_run.hpp"
#include "signals.hpp"
#include "study_questions.hpp"
#include "table.hpp"

namespace doc2s::app {

namespace {

struct SweepArgs : SweepQuestion {
  bool json = false, quiet = false;
};

bool has_seeds(const std::vector<RankedSetting>& settings) {
  return std::ranges::any_of(settings, [](const RankedSetting& one) { return one.asked > 1; });
}

std::string figure_text(const Swept& swept, const RankedSetting& setting) {
  const Quantity& measure = *swept.by.measure;
  const std::string mean = formatted(measure, setting.spread.mean);
  if (setting.counted < 2) return mean;
  const double sd = setting.spread.sd;
  const bool share = measure.format == Quantity::Format::share;
  return fmt::format("{} ± {}", mean, share ? formatted(measure, sd) : fmt::format("{:.2g}", sd));
}

// "2,000", or "1,400–2,000" where the runs differ.
std::string iterations_text(const RankedSetting& setting) {
  std::vector<Index> iterations;
  for (const RankedCase& run : setting.runs) iterations.push_back(run.result.iteration);
  const auto [first, last] = std::ranges::minmax(iterations);
  return first == last ? with_commas(last) : with_commas(first) + "–" + with_commas(last);
}

std::vector<std::vector<std::string>> ranking_table(const Swept& swept,
                                                    const std::vector<RankedSetting>& settings) {
  const bool seeds = has_seeds(settings);
  std::vector<std::vector<std::string>> table = {{"case", swept.by.measure->name, "iteration"}};
  if (seeds)
    table = {{"setting", fmt::format("{} (mean ± sd)", swept.by.measure->name), "runs", "iteration"}};
  for (const RankedSetting& one : settings) {
    table.push_back({one.name, figure_text(swept, one), iterations_text(one)});
    if (seeds)
      table.back().insert(table.back().begin() + 2, one.is_whole()
                                                        ? std::to_string(one.asked)
                                                        : fmt::format("{} of {}", one.counted, one.asked));
  }
  return table;
}

// The config of the first run that was asked for; choosing a seed by its result would flatter the setting.
void print_config(const Swept& swept, const RankedSetting& setting) {
  const auto first = std::ranges::find_if(swept.cases, [&](const SweepCase& one) {
    return std::ranges::any_of(setting.runs, [&](const RankedCase& run) { return run.one == &one; });
  });
  fmt::print("  config {}/config.toml\n", first->directory);
}

// Of all, or of the settings of its method: a best only where its seeds' range overlaps with no other's.
void print_first(const Swept& swept, const std::vector<RankedSetting>& settings, const RankedSetting& first,
                 const std::string& among) {
  const bool all = &first == &settings.front();
  const auto rival = std::ranges::find_if(settings, [&](const RankedSetting& other) {
    return &other != &first && (all || other.method() == first.method()) && other.overlaps(first);
  });
  if (rival == settings.end())
    fmt::print("best {}: {}\n", among, first.name);
  else
    fmt::print("first {}, but no clear best: {}, whose seeds' range overlaps with that of {}\n", among,
               first.name, rival->name);
  print_config(swept, first);
}

void print_best(const Swept& swept, const std::vector<RankedSetting>& settings) {
  const auto& [root, by, cases] = swept;
  const RankedSetting& best = settings.front();
  if (!best.best_of_method) {
    fmt::print("\nno run has a {} to rank it by\n", by.measure->name);
    return;
  }
  const std::string within = by.count ? fmt::format(" within {} {}", by.most, by.count->name) : "";
  fmt::print("\n");
  print_first(swept, settings, best, fmt::format("by {}{}", by.measure->name, within));
  for (const RankedSetting& one : settings)
    if (one.best_of_method && &one != &best) print_first(swept, settings, one, "of " + one.method());
}

void print_ranking(const Swept& swept) {
  const std::vector<RankedSetting> settings = swept.settings();
  if (settings.empty()) return;
  print_table(ranking_table(swept, settings));
  for (const RankedSetting& one : settings)
    if (const std::string lost = lost_text(one, swept.by); !lost.empty())
      fmt::print("note: {}: {}\n", one.name, lost);
  if (settings.size() > 1 &&
      std::ranges::all_of(settings, [](const RankedSetting& one) { return one.asked == 1; }))
    fmt::print("note: one seed each, so small differences may be chance; add --over seed=1,2,3\n");
  print_best(swept, settings);
  fmt::print("  all of it: doc2s report {0} -o {0}/report.html\n", swept.root);
}

int sweep_command(const SweepArgs& args) {
  listen_to_signals();
  ProgressLine line(args.quiet, "setting up");
  const Swept swept = sweep(
      args, stop_requested,
      [&](const std::string& news) {
        line.clear("setting up");
        if (!args.quiet) aside("{}\n", news);
      },
      [&](const std::string& news) { line.show(news); });
  line.clear();
  if (args.json)
    fmt::print("{}\n", ranking_json(swept.settings(), swept.by));
  else
    print_ranking(swept);
  return stop_requested ? 130 : 0;
}

// Before anything is run. Methods share the problem, so one of them is asked for its test set.
void check_measure(const std::vector<SweepCase>& cases, const Quantity& measure) {
  if (measure.sparse)
    for (const SweepCase& one : cases) check_recorded(one.config, measure);
  else
    check_recorded(cases.front().config, measure);
}

}  // namespace

Swept sweep(const SweepQuestion& asked, const std::atomic<bool>& stop,
            const std::function<void(const std::string& text)>& news,
            const std::function<void(const std::string& text)>& going) {
  const Yardstick by = yardstick(asked.by, asked.at);
  std::vector<SweepAxis> axes;
  for (const auto& over : asked.over) axes.push_back(sweep_axis(over));
  const std::string root = asked.out.empty()
                               ? "runs/" + std::filesystem::path(asked.config).stem().string() + "-sweep"
                               : asked.out;
  Swept swept{root, by, sweep_cases(asked.config, changes_from(asked.changes), axes, root)};
  std::vector<SweepCase> open, ended;
  for (const auto& one : swept.cases) (is_done(one) ? ended : open).push_back(one);
  if (!ended.empty()) refuse_another_problem(ended.front().directory, ended.front().config);
  if (!open.empty()) {
    const Listener listener(&stop, going);
    check_measure(open, *by.measure);
  }
  const std::size_t all = swept.cases.size(), before = all - open.size();
  std::size_t done = before;
  if (done > 0) news(fmt::format("{} of {} cases are done already", done, all));
  run_cases(
      open, asked.jobs, stop,
      [&](const SweepCase& one, const Summary& summary) {
        done += summary.status != Status::interrupted;
        news(fmt::format("{} of {}: {}", done, all, outcome_text(one, summary)));
      },
      [&](double share) {
        const double part = (static_cast<double>(before) + share) / static_cast<double>(all);
        if (going) going(fmt::format("{} of {} cases, {:.0f}%", done, all, 100 * part));
      });
  write_ranking(root, swept.settings(), by);
  return swept;
}

void add_sweep(CLI::App& program, Action& action) {
  auto args = std::make_shared<SweepArgs>();
  CLI::App* command = program.add_subcommand(
      "sweep",
      "run all combinations of values and rank them; seeds are averaged; continues after an interruption");
  command->footer(
      "Example:\n  doc2s sweep configs/a9a-ring.toml --over method.eta=0.001,0.005,0.01 --over "
      "seed=1,2,3 --jobs 2");
  command->add_option("config", args->config, "the experiment, a TOML file")
      ->required()
      ->type_name("CONFIG.toml");
  command->add_option("--over", args->over, "a key and the values it takes; may be given again")
      ->required()
      ->type_name("KEY=V1,V2…")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_set(command, args->changes);
  command->add_option("--out", args->out, "directory to write into; default: runs/CONFIG-sweep")
      ->type_name("DIR");
  command
      ->add_option("--by", args->by,
                   "the measure that decides (doc2s list measures); default: loss_mean_point")
      ->type_name("MEASURE");
  command
      ->add_option("--at", args->at,
                   "compare at this much of a count, e.g. samples=4000; default: at the end")
      ->type_name("COUNT=NUMBER");
  command->add_option("--jobs", args->jobs, "runs at the same time")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--json", args->json, "an object for each run instead of a table");
  add_quiet(command, args->quiet);
  command->callback([=, &action] { action = [=] { return sweep_command(*args); }; });
}

}  // namespace doc2s::app
