// SPDX-License-Identifier: Apache-2.0
#include "guarantee_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "budget.hpp"
#include "config/schema.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "known_options.hpp"

namespace doc2s {

namespace {

constexpr int many_clients = 10'000;  // whose losses take longer than the run

// Beside the first one.
double records_of_a_run(int clients) { return clients > many_clients ? 1 : 20; }

bool changes_key(const Changes& changes, const std::string& key) {
  return std::ranges::any_of(changes, [&](const Change& change) { return change.key == key; });
}

void refuse_other_budgets(const Changes& changes) {
  for (const Change& change : changes)
    if (change.key.starts_with("run.budget.") && change.key != "run.budget.samples")
      throw Error("a budget would end the run before its plan does", change.where,
                  "leave it out; --samples plans for a budget");
}

void refuse_other_route(const Settings& method) {
  if (method.has("route") && method.text("route") != "uniform")
    throw Error(
        fmt::format("the theorem holds for route = \"uniform\", not for \"{}\"", method.text("route")),
        method.where("route"), "leave it out");
}

// As long as the plan: another budget of the config's is for another run. 0 records: as often as it says.
void run_whole(Settings& run, const Plan& plan, bool by_budget, double records) {
  for (const BudgetAxis& axis : budget_axes())
    if (!by_budget || axis.name != "samples") run.forget("budget." + axis.name);
  if (records > 0) run.set("record_every", static_cast<std::int64_t>(std::ceil(plan.iterations() / records)));
}

}  // namespace

GuaranteeQuestion question_of_file(const std::string& path, Changes changes) {
  return {read_whole(path), path, std::filesystem::path(path).parent_path().string(), std::move(changes)};
}

Config config_to_guarantee(const GuaranteeQuestion& asked) {
  Changes changes = asked.changes;
  if (!changes_key(changes, "method.constants"))
    changes.push_back({"method.constants", "tight", "guarantee"});
  refuse_other_budgets(changes);
  const auto read = [&](const Changes& all) {
    return resolved(known_options(), asked.text, asked.name, all, asked.folder);
  };
  Config config = config_to_plan(read, changes, {"doc2s-travel", true});
  refuse_other_route(config.method);
  return config;
}

PlannedConfig guarantee_plan(const GuaranteeQuestion& asked, const Config& config) {
  PlannedConfig found = plan_of_problem(config, make_network(config));
  found.config = planned(std::move(found.config), found.theory);
  const bool asks = changes_key(asked.changes, "run.record_every");
  run_whole(found.config.run, found.theory.plan, found.theory.request.budget.has_value(),
            asks ? 0 : records_of_a_run(found.network.clients()));
  return found;
}

CertifyAnswer certified_outputs(const PlannedConfig& found, std::span<const double> outputs,
                                const std::string& path, const News& news,
                                std::shared_ptr<const Problem<double>> own) {
  const auto d = static_cast<std::size_t>(found.dimension);
  PointsToCertify asked{found.config, "the outputs", {}, "output"};
  const Index rows = std::ssize(outputs) / found.dimension;
  for (Index row = 0; row < rows; ++row)
    asked.points.push_back({rows > 1 || found.network.clients() == 1 ? std::optional(row) : std::nullopt,
                            outputs.subspan(static_cast<std::size_t>(row) * d, d)});
  asked.points = distinct(std::move(asked.points));
  Processes alone;
  CertifiedProblem problem(asked.config, alone, std::move(own));
  const PlanRequest& goal = found.theory.request;
  const CertifySearch search{goal.delta, goal.epsilon, certify_defaults.budget, 0};
  const bool can_be_made = asked.config.problem.text("name") != own_problem_name;
  if (path.empty() || !can_be_made || !problem.has_gradient()) return certified(asked, problem, search, news);
  return certified_in_file(path, asked, problem, search, news);
}

}  // namespace doc2s
