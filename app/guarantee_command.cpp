// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "aside.hpp"
#include "carry_out.hpp"
#include "certify_answer.hpp"
#include "commands.hpp"
#include "doc2s/base/error.hpp"
#include "flags.hpp"
#include "guarantee_answer.hpp"
#include "plan_figures.hpp"
#include "progress.hpp"
#include "signals.hpp"

namespace doc2s::app {

namespace {

constexpr int not_certified = 5;  // exit code

struct GuaranteeArgs {
  std::string config, out;
  Changes changes;                // --delta, --method …
  std::vector<std::string> sets;  // "key=value"
  bool json = false, force = false, quiet = false;
};

void heed_stop(const std::string& directory) {
  if (stop_requested)
    throw Interrupted(fmt::format(
        "interrupted while looking for certificates; the run is whole: doc2s certify {} --which output",
        directory));
}

PlannedConfig planned(const GuaranteeArgs& args) {
  Changes changes;
  for (const auto& change : args.sets) changes.push_back(change_from(change));
  changes.insert(changes.end(), args.changes.begin(), args.changes.end());
  const GuaranteeQuestion asked = question_of_file(args.config, std::move(changes));
  const Config config = config_to_guarantee(asked);
  require_goal(config, "guarantee");
  listen_to_signals(/*speaks=*/!args.quiet);
  const NothingToLose nothing_to_lose(/*speaks=*/true);
  ProgressLine line(args.quiet, "planning");
  const Listener listener(&stop_requested, [&](const std::string& news) { line.show(news); });
  return guarantee_plan(asked, config);
}

Summary carried_out(const PlannedConfig& plan, const GuaranteeArgs& args, KeptInMemory& kept) {
  RunOptions options;
  options.force = args.force;
  options.numbered = args.out.empty();
  options.directory =
      options.numbered ? "runs/guarantee-" + std::filesystem::path(args.config).stem().string() : args.out;
  if (args.json) return watched_run(plan.config, options, args.quiet, &kept);
  fmt::print("{}\n", plan_summary({plan}));
  std::fflush(stdout);  // it may take a while from here
  return carry_out(plan.config, options, args.quiet, &kept);
}

CertifyAnswer certified(const PlannedConfig& plan, const Summary& run, const KeptInMemory& kept, bool quiet) {
  ProgressLine line(quiet, "certifying");
  listen_to_signals(/*speaks=*/false);
  const Listener listener(&stop_requested, [&](const std::string& news) { line.show(news); });
  return certified_outputs(plan, kept.outputs, certificate_file_in(run.directory),
                           [&](const std::string& news) {
                             heed_stop(run.directory);
                             line.show(news);
                           });
}

int guarantee_command(const GuaranteeArgs& args) {
  const PlannedConfig plan = planned(args);
  KeptInMemory kept;
  const Summary run = carried_out(plan, args, kept);
  std::optional<CertifyAnswer> answer;
  if (run.status == Status::finished) answer = certified(plan, run, kept, args.quiet);
  const CertifyAnswer* const found = answer ? &*answer : nullptr;
  const Verdict verdict = verdict_on(plan, run.status, found);
  if (args.json)
    fmt::print("{}\n", guarantee_json(plan, kept, found, verdict));
  else
    fmt::print("\n{}\n", verdict.text);
  if (answer && !args.quiet) tell_notes(*answer);
  return verdict.certified || !answer ? exit_code(run) : not_certified;
}

void add_goal(CLI::App* command, Changes& changes) {
  const auto add = [&](const char* flag, const char* key, const char* help, const char* type) {
    add_change(command, changes, flag, key, help, type);
  };
  add("--delta", "method.delta", "radius of the stationarity to guarantee", "NUMBER");
  add("--epsilon", "method.epsilon", "size of the subgradient to guarantee", "NUMBER");
  add("--samples", "run.budget.samples", "in place of --epsilon: the least epsilon for so many", "N");
  add("--method", "method.name", "doc2s or doc2s-travel; default: the config's, else doc2s-travel", "METHOD");
  add("--order", "method.order", "first or zeroth; default: the config's", "ORDER");
  add("--seed", "seed", "decides every random number of the run", "SEED");
}

}  // namespace

void add_guarantee(CLI::App& program, Action& action) {
  auto args = std::make_shared<GuaranteeArgs>();
  CLI::App* command = program.add_subcommand(
      "guarantee", "plan a config's problem by the theorem, run the plan and certify every client's output");
  command->footer(
      "Example:\n  doc2s guarantee configs/a9a-ring.toml --method doc2s-travel --delta 1 --epsilon 0.1\n"
      "Exit code 0: every client is certified; 5: the run finished, and one is not.");
  command->add_option("config", args->config, "the problem and its network, a TOML file")
      ->type_name("CONFIG.toml")
      ->required();
  add_goal(command, args->changes);
  add_set(command, args->sets);
  command->add_option("--out", args->out, "directory to write into; default: a new one under runs/")
      ->type_name("DIR");
  command->add_flag("--force", args->force, "replace the run that the directory already holds");
  command->add_flag("--json", args->json, "one JSON object instead of text");
  command->add_flag("--quiet", args->quiet, "no progress and no notes on stderr");
  command->callback([=, &action] { action = [=] { return guarantee_command(*args); }; });
}

}  // namespace doc2s::app
