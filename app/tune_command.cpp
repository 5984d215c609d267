// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "aside.hpp"
#include "commands.hpp"
#include "config/toml_entries.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/threads.hpp"
#include "flags.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "signals.hpp"
#include "study/ranking.hpp"
#include "study/tune/tune.hpp"
#include "study_questions.hpp"
#include "table.hpp"

namespace doc2s::app {

namespace {

struct TuneArgs : TuneQuestion {
  bool quiet = false;
};

}  // namespace

TuneRequest tune_request(const TuneQuestion& args) {
  if (args.budget.empty())
    throw Error("no budget is given", "tune", "say what a run may use, for example --budget samples=64000");
  const Changes changes = changes_from(args.changes);
  TuneRequest request{.budget = tune_budget(args.budget),
                      .by = yardstick(args.by, "").measure,
                      .trials = args.trials,
                      .root = args.out};
  for (const std::string& over : args.over) request.over.push_back(asked_range(over));
  for (const Change& change : changes)
    for (const auto& entry : change_entries(change)) request.fixed.push_back(entry.key);
  request.configs = read_configs(args.config, changes);
  request.by = &measure_to_choose_by(request.configs.front(), *request.by);
  if (request.root.empty())
    request.root = "runs/" + std::filesystem::path(args.config).stem().string() + "-tune";
  return request;
}

namespace {

std::string found_text(const TunedMethod& method) {
  std::string text;
  for (std::size_t k = 0; k < method.ranges.size(); ++k)
    text += fmt::format("{}{} = {}", k == 0 ? "" : ", ", method.ranges[k].name, to_toml(method.values()[k]));
  return text;
}

std::vector<std::string> tuned_row(const TuneRequest& request, const TunedMethod& method) {
  const auto shown = [&](double score) { return formatted(*request.by, score); };
  const double runs = method.spent / static_cast<double>(request.budget.amount);
  return {method.label,
          found_text(method),
          shown(method.score.mean),
          shown(method.score.lowest),
          shown(method.score.highest),
          std::to_string(request.trials),
          fmt::format("{} ({:.0f} % of {} full runs)", with_commas(std::llround(method.spent)),
                      100 * runs / request.trials, request.trials)};
}

void print_notes(const TunedMethod& method) {
  for (std::size_t k = 0; k < method.ranges.size(); ++k) {
    const SearchRange& range = method.ranges[k];
    if (const std::string edge = edge_of(range, method.values()[k]); !edge.empty())
      fmt::print("note: {} of {} is at the {} edge of {}..{}; --over {}=LOW..HIGH looks further\n",
                 range.name, method.label, edge, range.low, range.high, range.key());
  }
  int refused = 0;
  for (const Trial& trial : method.trials) refused += !trial.refusal.empty();
  if (refused > 0)
    fmt::print("note: {} of the trials of {} were lost, since all they drew was refused\n", refused,
               method.label);
  for (const SeedRun& one : method.seeds)
    if (std::isnan(one.score)) fmt::print("note: {} diverged with seed {}\n", method.label, one.seed);
}

void print_tuned(const TuneRequest& request, const Tuned& tuned) {
  const std::vector<SeedRun>& seeds = tuned.methods.front().seeds;
  fmt::print("{}, mean over the last tenth up to {} {}, over the seeds {} to {}; chosen with seed {}\n",
             request.by->name, with_commas(request.budget.amount), request.budget.axis, seeds.front().seed,
             seeds.back().seed, request.trial_seed());
  std::vector<std::vector<std::string>> table = {
      {"method", "best values", "mean", "lowest", "highest", "trials", request.budget.axis + " spent"}};
  for (const TunedMethod& method : tuned.methods) table.push_back(tuned_row(request, method));
  fmt::print("{}\n", left_table_text(table));
  for (const TunedMethod& method : tuned.methods) print_notes(method);
  fmt::print(
      "to run it: doc2s run {0}/tuned.toml\nall trials: {0}/tune.csv\nto look at it: {0}/report.html\n",
      request.root);
}

int tune_command(const TuneArgs& args) {
  const TuneRequest request = tune_request(args);
  listen_to_signals();
  ProgressLine line(args.quiet, "drawing trials");
  const TuneOptions options{args.jobs > 0 ? args.jobs : usable_cores(), stop_requested,
                            [&](const std::string& news) { line.show(news); },
                            [&](const std::string& news) { line.show(news); }};
  const std::optional<Tuned> tuned = tune(request, options);
  line.clear();
  if (tuned)
    print_tuned(request, *tuned);
  else
    aside("interrupted; the same command goes on\n");
  return tuned ? 0 : 130;
}

}  // namespace

void add_tune(CLI::App& program, Action& action) {
  auto args = std::make_shared<TuneArgs>();
  CLI::App* command = program.add_subcommand(
      "tune", "find a method's own parameters, such as eta and D; continues after an interruption");
  command->footer(
      "Every parameter of the method with a range of its own (doc2s explain eta) is tuned, also where the\n"
      "config gives a value, which is tried too. --set KEY=VALUE fixes one, --over gives another range.\n"
      "Example:\n  doc2s tune configs/a9a-ring.toml --budget samples=64000 --jobs 2");
  command->add_option("config", args->config, "the experiment, a TOML file")
      ->required()
      ->type_name("CONFIG.toml");
  command
      ->add_option(
          "--budget", args->budget,
          "what a run may use: samples, iterations, computation_rounds, communication_rounds or bytes")
      ->type_name("COUNT=NUMBER");
  command->add_option("--by", args->by, "the measure that decides; default: loss_mean_point")
      ->type_name("MEASURE");
  command->add_option("--over", args->over, "a key and the range it is drawn from; may be given again")
      ->type_name("KEY=LOW..HIGH")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--trials", args->trials, "settings that are tried for each method; default: 64")
      ->type_name("N")
      ->check(CLI::Range(2, 4096));
  add_set(command, args->changes);
  command->add_option("--jobs", args->jobs, "runs at the same time; default: the number of cores")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command->add_option("--out", args->out, "directory to write into; default: runs/CONFIG-tune")
      ->type_name("DIR");
  add_quiet(command, args->quiet);
  command->callback([=, &action] { action = [=] { return tune_command(*args); }; });
}

}  // namespace doc2s::app
