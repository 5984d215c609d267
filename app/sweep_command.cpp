#include <fmt/format.h>

#include <filesystem>

#include "aside.hpp"
#include "commands.hpp"
#include "flags.hpp"
#include "numbers.hpp"
#include "signals.hpp"
#include "study_questions.hpp"
#include "table.hpp"

namespace doc2s::app {

namespace {

struct SweepArgs : SweepQuestion {
  bool quiet = false;
};

void print_ranking(const Swept& swept) {
  const auto& [root, by, cases] = swept;
  const std::vector<RankedCase> rows = swept.rows();
  std::vector<std::vector<std::string>> table = {{"case", by.measure->name, "iteration"}};
  for (const auto& [one, result] : rows)
    table.push_back({one->name, loss_text(result.figure), std::to_string(result.iteration)});
  print_table(table);
  if (!rows.empty())
    fmt::print(
        "\nbest by {}{}: {}\n  config {}/config.toml\n  all of it: doc2s report {} -o {}/report.html\n",
        by.measure->name, by.count ? fmt::format(" within {} {}", by.most, by.count->name) : "",
        rows.front().one->name, rows.front().one->directory, root, root);
}

int sweep_command(const SweepArgs& args) {
  listen_to_signals();
  const Swept swept = sweep(args, stop_requested, [&](const std::string& news) {
    if (!args.quiet) aside("{}\n", news);
  });
  print_ranking(swept);
  return stop_requested ? 130 : 0;
}

}  // namespace

Swept sweep(const SweepQuestion& asked, const std::atomic<bool>& stop,
            const std::function<void(const std::string& news)>& news) {
  const Yardstick by = yardstick(asked.by, asked.at);
  std::vector<SweepAxis> axes;
  for (const auto& over : asked.over) axes.push_back(sweep_axis(over));
  const std::string root = asked.out.empty()
                               ? "runs/" + std::filesystem::path(asked.config).stem().string() + "-sweep"
                               : asked.out;
  Swept swept{root, by, sweep_cases(asked.config, changes_from(asked.changes), axes, root)};
  std::vector<SweepCase> open;
  for (const auto& one : swept.cases)
    if (!is_done(one)) open.push_back(one);
  const std::size_t all = swept.cases.size();
  std::size_t done = all - open.size();
  if (done > 0) news(fmt::format("{} of {} cases are done already", done, all));
  run_cases(open, asked.jobs, stop, [&](const SweepCase& one, const Summary& summary) {
    done += summary.status != Status::interrupted;
    news(fmt::format("{} of {}: {}", done, all, outcome_text(one, summary)));
  });
  write_ranking(root, swept.rows(), by);
  return swept;
}

void add_sweep(CLI::App& program, Action& action) {
  auto args = std::make_shared<SweepArgs>();
  CLI::App* command = program.add_subcommand(
      "sweep", "run all combinations of values and rank them; continues after an interruption");
  command->footer(
      "Example:\n  doc2s sweep configs/a9a-ring.toml --over method.eta=0.001,0.005,0.01 --over "
      "method.D=0.05,0.01 --jobs 2");
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
  command->add_option("--by", args->by, "the measure that decides; default: loss_mean_point")
      ->type_name("MEASURE");
  command
      ->add_option("--at", args->at,
                   "compare at this much of a count, e.g. samples=4000; default: at the end")
      ->type_name("COUNT=NUMBER");
  command->add_option("--jobs", args->jobs, "runs at the same time")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--quiet", args->quiet, "no progress on stderr");
  command->callback([=, &action] { action = [=] { return sweep_command(*args); }; });
}

}  // namespace doc2s::app
