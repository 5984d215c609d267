// SPDX-License-Identifier: Apache-2.0
#include "theorem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.hpp"
#include "embedded_configs.hpp"
#include "kept_json.hpp"
#include "run/certify.hpp"
#include "run/ended_run.hpp"
#include "run_figures.hpp"

namespace doc2s {

namespace {

struct TheoremGoal {
  double delta, epsilon;
  Index gradients;  // a certificate
};

TheoremGoal theorem_goal(Scale scale) {
  const double epsilon = scale == Scale::smoke ? 0.9 : scale == Scale::quick ? 0.2 : 0.11;
  return {1, epsilon, certify_defaults.budget};
}

struct TheoremMethod {
  std::string label, folder, meaning;
  std::function<Changes(const TheoryParameters& theory, const TheoremGoal& goal)> changes;
};

Changes theory_changes(const TheoremGoal& goal, const std::string& method) {
  return changes_from({"method.name=" + method, "method.parameters=theory",
                       fmt::format("method.delta={}", goal.delta),
                       fmt::format("method.epsilon={}", goal.epsilon)});
}

Changes doc2s_changes(const TheoremGoal& goal, const std::string& rule) {
  Changes changes = theory_changes(goal, "doc2s");
  changes.push_back(change_from("method.rounds_rule=" + rule));
  return changes;
}

// ME-DOL with `factor` times the plan's η and D in epochs shorter by it, up to the plan's number of samples.
Changes me_dol_changes(const TheoryParameters& theory, double factor) {
  const Plan& plan = theory.plan;
  const double T = std::ceil(plan.T / factor), samples = plan.iterations();
  return changes_from({"method.name=me-dol", fmt::format("method.eta={}", factor * plan.eta),
                       fmt::format("method.D={}", factor * plan.D), fmt::format("method.T={:.0f}", T),
                       fmt::format("method.K={:.0f}", std::ceil(samples / (theory.request.clients * T))),
                       fmt::format("method.delta_prime={}", plan.delta_prime),
                       fmt::format("run.budget.samples={:.0f}", samples)});
}

const std::vector<TheoremMethod>& theorem_methods() {
  static const std::vector<TheoremMethod> all = {
      {"DOC²S, exact R", "doc2s-exact",
       "the theorem's K, T, D and eta, the smallest R that its proof accepts",
       [](const auto&, const auto& goal) { return doc2s_changes(goal, "exact"); }},
      {"DOC²S, theorem's R", "doc2s-theorem", "the theorem's K, T, D, eta and R",
       [](const auto&, const auto& goal) { return doc2s_changes(goal, "theorem"); }},
      {"doc2s-travel", "doc2s-travel", "the theorem's K, T, D and eta; the state travels, no gossip",
       [](const auto&, const auto& goal) { return theory_changes(goal, "doc2s-travel"); }},
      {"ME-DOL, same T, D, η", "me-dol-same", "the theorem's T, D and eta, as many samples as DOC²S",
       [](const auto& theory, const auto&) { return me_dol_changes(theory, 1); }},
      {"ME-DOL, T/n, nD, nη", "me-dol-scaled",
       "epochs of as many samples as DOC²S's with steps n times as long, as many samples as DOC²S",
       [](const auto& theory, const auto&) { return me_dol_changes(theory, theory.request.clients); }}};
  return all;
}

Config theorem_config(Changes changes, int seed) {
  changes.push_back(change_from(fmt::format("seed={}", seed)));
  return parse_configs(embedded::theorem, "reproduce theorem", changes).front();
}

struct TheoremRun {
  const TheoremMethod* method;
  int seed;
  SweepCase one;
  Settings settings{"method"};  // as it was run, with the plan's values
  Record end{};
  std::string trajectory{};
  double start = 0;              // the bound at x0
  std::vector<double> bounds{};  // one a client
};

double bound_of(const GradientFunction& gradient, std::span<const double> point, const TheoremGoal& goal,
                std::uint64_t seed) {
  CertificateSearch search{.delta = goal.delta, .budget = goal.gradients};
  search.seed = seed;
  return find_certificate(gradient, point, search).certificate.bound;
}

class TheoremWork {
 public:
  TheoremWork(Scale scale, const std::string& folder) : goal_(theorem_goal(scale)) {
    for (const int seed : shown_seeds()) {
      theory_ = theory_of(theorem_config(doc2s_changes(goal_, "exact"), seed));
      for (const auto& method : theorem_methods()) runs_.push_back(planned_run(method, seed, folder));
    }
    std::ranges::stable_sort(runs_, {}, &TheoremRun::method);
  }

  std::vector<SweepCase> cases() const {
    std::vector<SweepCase> all;
    for (const auto& run : runs_) all.push_back(run.one);
    return all;
  }

  void certify() {
    for (auto& run : runs_) {
      const PointsToCertify asked = points_to_certify({run.one.directory, "", "output", "all"});
      CertifiedProblem problem(asked.config);
      const GradientFunction gradient = problem.gradient();
      const auto d = static_cast<std::size_t>(problem.problem().dimension());
      run.settings = asked.config.method;
      run.end = summary_of_ended(run.one.directory).value_or(Summary()).end;
      run.trajectory = end_of(run.one).trajectory;
      run.start = bound_of(gradient, std::vector<double>(d), goal_, problem.config.seed());
      for (const auto& one : asked.points)
        run.bounds.push_back(bound_of(gradient, one.point, goal_, problem.config.seed()));
      if (asked.points.size() == 1)  // all clients' outputs are equal
        run.bounds.resize(asked.config.clients.integer("count"), run.bounds[0]);
    }
  }

  const TheoremGoal& goal() const { return goal_; }
  const TheoryParameters& theory() const { return *theory_; }
  const std::vector<TheoremRun>& runs() const { return runs_; }

 private:
  TheoremRun planned_run(const TheoremMethod& method, int seed, const std::string& folder) const {
    Changes changes = method.changes(*theory_, goal_);
    const bool all_compute = method.folder.starts_with("me-dol");
    const double iterations = theory_->plan.iterations() / (all_compute ? theory_->request.clients : 1);
    append(changes, changes_from({fmt::format("method.label=\"{}\"", method.label),
                                  fmt::format("run.record_every={:.0f}", std::ceil(iterations / 20))}));
    const std::string place = fmt::format("{}/seed={}", method.folder, seed);
    return {&method, seed, {place, theorem_config(changes, seed), folder + "/runs/" + place}};
  }

  const TheoremGoal goal_;
  std::optional<TheoryParameters> theory_;  // alike for all seeds but for L
  std::vector<TheoremRun> runs_;
};

Index certified_of(const TheoremRun& run, const TheoremGoal& goal) {
  return std::ranges::count_if(run.bounds, [&](double bound) { return bound <= goal.epsilon; });
}

double mean_bound(const TheoremRun& run) {
  return std::accumulate(run.bounds.begin(), run.bounds.end(), 0.0) / static_cast<double>(run.bounds.size());
}

double median_of(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  const std::size_t half = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
}

std::string theorem_run_text(const TheoremRun& run, const TheoremGoal& goal) {
  const Settings& method = run.settings;
  JsonObject object;
  object.add("method", run.method->label).add("seed", run.seed);
  object.add("K", method.integer("K")).add("T", method.integer("T"));
  object.add_raw("R", method.has("R") ? std::to_string(method.integer("R")) : "null");
  object.add("eta", method.real("eta")).add("D", method.real("D"));
  for (const char* count : {"samples", "computation_rounds", "communication_rounds", "bytes"})
    object.add(count, run.end.whole(count));
  object.add("bound_at_start", run.start).add("certified", std::int64_t{certified_of(run, goal)});
  object.add("clients", std::int64_t{std::ssize(run.bounds)});
  object.add_raw("bounds", json_row(run.bounds));
  return object.add("trajectory", run.trajectory).add("folder", "runs/" + run.one.name).line();
}

std::string theorem_methods_text() {
  std::vector<std::string> objects;
  for (const auto& method : theorem_methods())
    objects.push_back(JsonObject().add("method", method.label).add("parameters", method.meaning).line());
  return json_list(objects);
}

std::string theorem_title(const TheoremWork& work) {
  return fmt::format("Theorem 1, first order, {:.0f} clients on a ring", work.theory().request.clients);
}

std::string theorem_json(Scale scale, const TheoremWork& work) {
  const TheoryParameters& theory = work.theory();
  const PlanRequest& request = theory.request;
  const Plan& plan = theory.plan;
  std::vector<std::string> runs;
  for (const auto& run : work.runs()) runs.push_back(theorem_run_text(run, work.goal()));
  JsonObject object = kept_json("theorem", theorem_title(work), scale);
  object.add("delta", request.delta).add("epsilon", request.epsilon).add("gradients", work.goal().gradients);
  object.add_raw("plan", JsonObject()
                             .add("lipschitz", request.lipschitz)
                             .add("gradient_bound", request.gradient_bound)
                             .add("gap", request.gap)
                             .add("clients", request.clients)
                             .add("dimension", request.dimension)
                             .add("c0", request.c0)
                             .add("K", plan.K)
                             .add("T", plan.T)
                             .add("D", plan.D)
                             .add("eta", plan.eta)
                             .add("exact_R", theory.exact_R.value_or(0))
                             .add("theorem_R", theory.theorem_R)
                             .line());
  object.add_raw("methods", theorem_methods_text()).add_raw("runs", json_list(runs));
  return object.lines() + "\n";
}

PlainTable theorem_table(const TheoremWork& work) {
  PlainTable table{fmt::format("theorem: {}\nbound of every client's output over the ball of radius {}, "
                               "whose expectation the theorem wants "
                               "to be at most {}",
                               theorem_title(work), work.goal().delta, work.goal().epsilon),
                   {{"", "seed", "R", "samples", "communication", "at the start", "least", "median",
                     "largest", "mean", "certified"}}};
  for (const auto& run : work.runs()) {
    const auto [least, largest] = std::ranges::minmax(run.bounds);
    table.rows.push_back({run.method->label, std::to_string(run.seed),
                          run.settings.has("R") ? std::to_string(run.settings.integer("R")) : "-",
                          std::to_string(run.end.whole("samples")),
                          std::to_string(run.end.whole("communication_rounds")),
                          fmt::format("{:.4f}", run.start), fmt::format("{:.4f}", least),
                          fmt::format("{:.4f}", median_of(run.bounds)), fmt::format("{:.4f}", largest),
                          fmt::format("{:.4f}", mean_bound(run)),
                          fmt::format("{} of {}", certified_of(run, work.goal()), run.bounds.size())});
  }
  return table;
}

}  // namespace

Measurement theorem_measurement() {
  return {"theorem",
          "Theorem 1",
          "Every client's output certified after a run of the theorem's parameters",
          /*keeps_outputs=*/true,
          /*of_paper=*/true,
          [](Scale scale, const std::string& folder, const Carrying& carrying) -> std::optional<Measured> {
            TheoremWork work(scale, folder);
            if (!carrying.run_cases(work.cases())) return std::nullopt;
            work.certify();
            return Measured{theorem_json(scale, work), {theorem_table(work)}, {}, work.runs().size()};
          }};
}

}  // namespace doc2s
