#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "algorithms/rounds.hpp"
#include "aside.hpp"
#include "commands.hpp"
#include "doc2s/algorithms/kinds.hpp"
#include "doc2s/base/error.hpp"
#include "plan_figures.hpp"
#include "problems/kinds.hpp"
#include "report/report.hpp"
#include "run/trial.hpp"

namespace doc2s::app {

namespace {

const std::string& method_with_theory() {
  const auto& kinds = method_kinds();
  return std::find_if(kinds.begin(), kinds.end(), has_theory)->name;
}

// The config's first method with a theory; one without any is planned for as if it had one.
Config planned_config(const PlanWords& words) {
  Changes changes;
  for (const auto& change : words.sets) changes.push_back(change_from(change));
  changes.insert(changes.end(), words.changes.begin(), words.changes.end());
  changes.push_back({"method.parameters", "theory", "plan"});
  if (words.from.empty()) return default_config(changes);
  const auto configs = read_configs(words.from, changes);
  for (const Config& config : configs)
    if (config.method.has("parameters")) return config;
  changes.push_back({"method.name", method_with_theory(), "plan"});
  return read_configs(words.from, changes).front();
}

void require_inputs(const PlanWords& words, const Config& config) {
  std::vector<std::string> needed = {"delta", "epsilon"};
  if (words.from.empty()) {
    needed.insert(needed.end(), {"lipschitz", "gap"});
    if (config.method.text("order") == "first") needed.push_back("gradient_bound");
  }
  const auto refuse = [&](std::string flag) {
    std::replace(flag.begin(), flag.end(), '_', '-');
    throw Error(fmt::format("--{} is missing", flag), "plan",
                words.from.empty() && flag != "delta" && flag != "epsilon"
                    ? "give it, or --from a config whose problem can be asked"
                    : "give a number above 0");
  };
  for (const auto& name : needed)
    if (!config.method.has(name)) refuse(name);
  if (words.from.empty() && !config.problem.given("dimension")) refuse("dimension");
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

PlanFigures figures_of(const PlanWords& words, const Config& config) {
  Network network = make_network(config);
  if (!words.from.empty())
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
std::vector<double> iteration_seconds(const PlanWords& words, const PlanFigures& figures,
                                      const std::vector<double>& counts) {
  if (!words.from.empty()) return seconds_an_iteration(figures.config, counts);
  const auto n = static_cast<double>(figures.network.clients()), d = static_cast<double>(figures.dimension);
  const double edges = std::max(1.0, static_cast<double>(figures.network.graph.edges()));
  const double tried = std::floor(std::min(d, std::max(1.0, std::min(4e6 / n, 2.5e7 / edges))));
  auto seconds = seconds_an_iteration(trial_config(figures, static_cast<Index>(tried)), counts);
  for (double& one : seconds) one *= d / tried;
  return seconds;
}

void measure_time(const PlanWords& words, PlanFigures& figures) {
  std::vector<double> counts;
  std::vector<double*> places;
  if (const auto R = figures.theorem_R()) counts.push_back(*R), places.push_back(&figures.seconds);
  if (const auto R = figures.theory.exact_R) counts.push_back(*R), places.push_back(&figures.seconds_exact);
  try {
    const auto seconds = iteration_seconds(words, figures, counts);
    for (std::size_t k = 0; k < counts.size(); ++k)
      *places[k] = seconds[k] * figures.theory.plan.iterations();
  } catch (const Error& error) {
    figures.no_time = error.what();
  }
}

void write_config(const PlanWords& words, const PlanFigures& figures) {
  const std::string stand_in =
      words.from.empty()
          ? "# The problem is a stand-in of the planned dimension: put your own in its place, and heed "
            "its L, G and gap.\n"
          : "";
  write_whole_file(words.config, stand_in + written(planned(figures.config, figures.theory)));
}

void refuse_overwriting(const PlanWords& words) {
  std::error_code unknown;
  if (!words.config.empty() && !words.force && std::filesystem::exists(words.config, unknown))
    throw Error("already exists", "--config " + words.config, "give another file, or --force to replace it");
}

}  // namespace

int plan_command(const PlanWords& words) {
  const Config config = planned_config(words);
  require_inputs(words, config);
  refuse_overwriting(words);
  PlanFigures figures = figures_of(words, config);
  if (!words.config.empty()) write_config(words, figures);
  measure_time(words, figures);
  fmt::print("{}", words.json ? plan_json(figures) + "\n" : plan_text(figures));
  if (!words.json && !words.config.empty()) fmt::print("\nTo run it: doc2s run {}\n", words.config);
  for (const auto& notice : config.notices) aside("doc2s: note: {}\n", notice);
  return 0;
}

}  // namespace doc2s::app
