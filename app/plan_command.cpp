// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "algorithms/rounds.hpp"
#include "answers.hpp"
#include "aside.hpp"
#include "base/file_writer.hpp"
#include "commands.hpp"
#include "doc2s/algorithms/kinds.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/run/configs.hpp"
#include "flags.hpp"
#include "plan_figures.hpp"
#include "progress.hpp"
#include "run/trial.hpp"

namespace doc2s::app {

namespace {

struct PlanArgs : PlanQuestion {
  bool json = false, quiet = false;
};

const std::string& method_with_theory() {
  const auto& kinds = method_kinds();
  return std::find_if(kinds.begin(), kinds.end(), has_theory)->name;
}

// The config's first method with a theory, or the one that is asked for; a config without any is planned for
// as if it had one.
Config planned_config(const PlanQuestion& args) {
  Changes changes;
  for (const auto& change : args.sets) changes.push_back(change_from(change));
  changes.insert(changes.end(), args.changes.begin(), args.changes.end());
  const auto read = [&](const Changes& all) {
    return args.from.empty() ? std::vector{default_config(all)} : read_configs(args.from, all);
  };
  return config_to_plan(read, changes, {method_with_theory(), false});
}

void require_inputs(const PlanQuestion& args, const Config& config) {
  require_goal(config, "plan");
  if (!args.from.empty()) return;
  const auto refuse = [](std::string flag) {
    std::replace(flag.begin(), flag.end(), '_', '-');
    throw Error(fmt::format("--{} is missing", flag), "plan",
                "give it, or --from a config whose problem can be asked");
  };
  for (const char* name : {"lipschitz", "gap", "gradient_bound"})
    if (!config.method.has(name) &&
        (name != std::string("gradient_bound") || config.method.text("order") == "first"))
      refuse(name);
  if (!config.problem.given("dimension")) refuse("dimension");
}

PlanFigures figures_of(const PlanQuestion& args, const Config& config) {
  Network network = make_network(config);
  if (!args.from.empty()) return {plan_of_problem(config, std::move(network))};
  const Index d = config.problem.integer("dimension");
  const auto theory = theory_parameters(config, *given_constants(config.method), network, d);
  return {{config, std::move(network), d, theory}};
}

// Without a problem of the user's, a stand-in: four samples a client, each with at most 100 non-zeros.
Config trial_config(const PlanFigures& figures, Index dimension) {
  Config config = figures.config;
  config.problem.set("dimension", dimension);
  config.problem.set("size", Index{4} * figures.network.clients());
  config.problem.set("sparsity", std::min(0.2, 100 / static_cast<double>(dimension)));
  return config;
}

// A large dimension is tried with fewer coordinates, for the time goes with their number.
std::vector<double> iteration_seconds(const PlanQuestion& args, const PlanFigures& figures,
                                      const std::vector<double>& counts) {
  if (!args.from.empty()) return seconds_an_iteration(figures.config, counts);
  const auto n = static_cast<double>(figures.network.clients()), d = static_cast<double>(figures.dimension);
  const double edges = std::max(1.0, static_cast<double>(figures.network.graph.edges()));
  const double tried = std::floor(std::min(d, std::max(1.0, std::min(4e6 / n, 2.5e7 / edges))));
  auto seconds = seconds_an_iteration(trial_config(figures, static_cast<Index>(tried)), counts);
  for (double& one : seconds) one *= d / tried;
  return seconds;
}

void measure_time(const PlanQuestion& args, PlanFigures& figures) {
  std::vector<double> counts;
  std::vector<double*> places;
  if (const auto R = figures.theorem_R()) counts.push_back(*R), places.push_back(&figures.seconds);
  if (figures.travels()) counts.push_back(1), places.push_back(&figures.seconds);
  if (const auto R = figures.theory.exact_R) counts.push_back(*R), places.push_back(&figures.seconds_exact);
  try {
    const auto seconds = iteration_seconds(args, figures, counts);
    for (std::size_t k = 0; k < counts.size(); ++k)
      *places[k] = seconds[k] * figures.theory.plan.iterations();
  } catch (const Error& error) {
    figures.no_time = error.what();
  }
}

void write_config(const PlanQuestion& args, const PlanFigures& figures) {
  const std::string stand_in =
      args.from.empty()
          ? "# Placeholder problem of the planned dimension: replace it with yours and check the constants.\n"
          : "";
  write_whole_file(args.config, stand_in + written(planned(figures.config, figures.theory)));
}

void refuse_overwriting(const PlanQuestion& args) {
  std::error_code unknown;
  if (!args.config.empty() && !args.force && std::filesystem::exists(args.config, unknown))
    throw Error("already exists", "--config " + args.config, "give another file, or --force to replace it");
}

PlanFigures planned_figures(const PlanQuestion& asked) {
  const Config config = planned_config(asked);
  require_inputs(asked, config);
  refuse_overwriting(asked);
  PlanFigures figures = figures_of(asked, config);
  if (!asked.config.empty()) write_config(asked, figures);
  measure_time(asked, figures);
  return figures;
}

int plan_command(const PlanArgs& args) {
  const PlanFigures figures = shown_work("planning", args.quiet, [&] { return planned_figures(args); });
  fmt::print("{}", args.json ? plan_json(figures) + "\n" : plan_text(figures));
  if (!args.json && !args.config.empty()) fmt::print("\nTo run it: doc2s run {}\n", args.config);
  for (const auto& notice : figures.config.notices) aside("doc2s: note: {}\n", notice);
  return 0;
}

void add_plan_inputs(CLI::App* command, Changes& changes) {
  const auto add = [&](const char* flag, const char* key, const char* help) {
    add_change(command, changes, flag, key, help, "NUMBER");
  };
  add("--delta", "method.delta", "radius of the stationarity to aim at");
  add("--epsilon", "method.epsilon", "size of the subgradient to aim at");
  add("--samples", "run.budget.samples", "in place of --epsilon: the least epsilon for so many samples");
  add("--lipschitz", "method.lipschitz", "L: Lipschitz constant of a client's loss");
  add("--gradient-bound", "method.gradient_bound", "G: bound of a stochastic gradient, for order first");
  add("--gap", "method.gap", "bound of f(x0) - inf f");
  add("--smooth", "method.smooth", "H: the smooth case, a client's loss has an H-Lipschitz gradient");
  add("--sigma", "method.sigma", "with --smooth: root of the variance of a stochastic gradient");
  add("--dimension", "problem.dimension", "d: how many numbers a client holds");
  add("--c0", "method.c0", "constant of the smoothing; default: 1");
  add("--batch", "problem.batch", "samples per estimate; default: 1");
  add_change(command, changes, "--method", "method.name", "doc2s or doc2s-travel; default: doc2s", "METHOD");
  add_change(command, changes, "--order", "method.order", "first or zeroth", "ORDER");
  add_change(command, changes, "--constants", "method.constants",
             "paper (the default for --epsilon) or tight (for --samples)", "CONSTANTS");
  add_change(command, changes, "--gossip", "method.gossip", "chebyshev, chebyshev-interval or plain",
             "GOSSIP");
  add_change(command, changes, "--rounds-rule", "method.rounds_rule",
             "which R the written config has: theorem or exact", "RULE");
}

}  // namespace

void require_goal(const Config& config, const std::string& command) {
  if (!config.method.has("delta")) throw Error("--delta is missing", command, "give a number above 0");
  if (!config.method.has("epsilon") && !config.run.has("budget.samples"))
    throw Error("--epsilon is missing", command,
                "give a number above 0, or a budget in its place: --samples");
}

std::string plan_answer(const PlanQuestion& asked) { return plan_json(planned_figures(asked)); }

void add_plan(CLI::App& program, Action& action) {
  auto args = std::make_shared<PlanArgs>();
  CLI::App* command =
      program.add_subcommand("plan", "parameters and costs from the theorems, before you pay for a run");
  command->footer(
      "Example:\n  doc2s plan --delta 0.5 --epsilon 0.5 --lipschitz 1 --gradient-bound 1 --gap 1 --dimension "
      "10 "
      "--graph ring --clients 16\n  doc2s plan --from configs/a9a-ring.toml --delta 1 --samples 100000");
  add_plan_inputs(command, args->changes);
  add_network_options(command, args->changes);
  command->add_option("--from", args->from, "ask this config's problem for L, G, the gap and d")
      ->type_name("CONFIG.toml");
  add_set(command, args->sets);
  command->add_option("--config", args->config, "also write the plan as a config, ready to run")
      ->type_name("OUT.toml");
  command->add_flag("--force", args->force, "replace the file that --config names");
  command->add_flag("--json", args->json, "one JSON object instead of tables");
  add_quiet(command, args->quiet);
  command->callback([=, &action] { action = [=] { return plan_command(*args); }; });
}

}  // namespace doc2s::app
