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
#include "problems/kinds.hpp"
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

void refuse_asked_method(const Changes& changes) {
  for (const auto& change : changes)
    if (change.key == "method.name")
      throw Error("there is no theorem to plan by for this method", change.where,
                  "take doc2s or doc2s-travel");
}

// The theorem's journey is what is planned and what its costs are expected for.
void refuse_other_journey(const Settings& method) {
  if (!method.has("route")) return;
  for (const char* name : {"travellers", "stay"})
    if (method.integer(name) != 1)
      throw Error(fmt::format("the theorem holds for {} = 1, not for {}", name, method.integer(name)),
                  method.where(name), "leave it out");
}

// One of them decides K and T.
void refuse_two_goals(const PlanQuestion& args, const Config& config) {
  for (const auto& change : args.changes)
    if (change.key == "run.budget.samples" && config.method.has("epsilon"))
      throw Error("a budget of samples takes the place of epsilon, and both are given", change.where,
                  "leave one of them out");
}

// The config's first method with a theory, or the one that is asked for; a config without any is planned for
// as if it had one.
Config planned_config(const PlanQuestion& args) {
  Changes changes;
  for (const auto& change : args.sets) changes.push_back(change_from(change));
  changes.insert(changes.end(), args.changes.begin(), args.changes.end());
  changes.push_back({"method.parameters", "theory", "plan"});
  const auto configs =
      args.from.empty() ? std::vector{default_config(changes)} : read_configs(args.from, changes);
  for (const Config& config : configs)
    if (config.method.has("parameters")) return config;
  refuse_asked_method(changes);
  changes.push_back({"method.name", method_with_theory(), "plan"});
  return read_configs(args.from, changes).front();
}

void require_inputs(const PlanQuestion& args, const Config& config) {
  std::vector<std::string> needed = {"delta"};
  if (!config.run.has("budget.samples")) needed.push_back("epsilon");
  if (args.from.empty()) {
    needed.insert(needed.end(), {"lipschitz", "gap"});
    if (config.method.text("order") == "first") needed.push_back("gradient_bound");
  }
  const auto refuse = [&](std::string flag) {
    std::replace(flag.begin(), flag.end(), '_', '-');
    throw Error(fmt::format("--{} is missing", flag), "plan",
                flag == "epsilon" ? "give a number above 0, or a budget in its place: --samples"
                : args.from.empty() && flag != "delta"
                    ? "give it, or --from a config whose problem can be asked"
                    : "give a number above 0");
  };
  for (const auto& name : needed)
    if (!config.method.has(name)) refuse(name);
  if (args.from.empty() && !config.problem.given("dimension")) refuse("dimension");
}

template <class Real>
PlanFigures ask_problem(const Config& config, Network network) {
  Processes alone;
  Threads threads(static_cast<int>(config.run.integer("threads")));
  const ClientRange all{0, network.clients()};
  const auto made = make_problem<Real>(config, all, alone);
  const ProblemConstants constants = constants_of(config, *made.problem, all, alone, threads);
  const Index d = made.problem->dimension();
  const auto theory = theory_parameters(config, constants, network, d);
  return {config, std::move(network), d, theory};
}

PlanFigures figures_of(const PlanQuestion& args, const Config& config) {
  Network network = make_network(config);
  if (!args.from.empty())
    return config.general.text("precision") == "float32" ? ask_problem<float>(config, network)
                                                         : ask_problem<double>(config, network);
  const Index d = config.problem.integer("dimension");
  const auto theory = theory_parameters(config, *given_constants(config.method), network, d);
  return {config, std::move(network), d, theory};
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
  refuse_two_goals(asked, config);
  refuse_other_journey(config.method);
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
