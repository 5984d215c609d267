// SPDX-License-Identifier: Apache-2.0
#include "probe.hpp"

#include <algorithm>
#include <cmath>

#include "budget.hpp"
#include "doc2s/base/error.hpp"
#include "experiment.hpp"

namespace doc2s {

namespace {

constexpr Tick fewest_steps = 16, most_steps = 256;

template <class Real>
void take_step(Experiment<Real>& experiment, Used& used) {
  experiment.algorithm->step(used.iterations);
  used.communication_rounds = experiment.peers.traffic().rounds;
  used.bytes = experiment.peers.traffic().bytes;
}

template <class Real>
void count_step(const Experiment<Real>& experiment, Used& used) {
  const Algorithm<Real>& method = *experiment.algorithm;
  used.samples +=
      method.callers() * method.estimates(used.iterations) * experiment.config.problem.integer("batch");
  used.computation_rounds = ++used.iterations;
}

template <class Real>
double pace_of(const Config& config, const BudgetAxis& axis) {
  Processes alone;
  Experiment<Real> experiment(config, alone);
  const bool by_steps = axis.name == "communication_rounds" || axis.name == "bytes";
  Used used;
  const auto one_more = [&] {
    if (by_steps) take_step(experiment, used);
    count_step(experiment, used);
  };
  try {
    while (used.iterations < most_steps && (used.iterations < fewest_steps || axis.amount(used) == 0))
      one_more();
  } catch (const Diverged&) {  // the run will find out
  }
  return axis.amount(used) / static_cast<double>(std::max<Index>(1, used.iterations));
}

template <class Real>
double tested_at_start(const Config& config, const std::string& measure) {
  Processes alone;
  const Experiment<Real> experiment(config, alone);
  const Problem<Real>& problem = experiment.problem();
  if (measure == "accuracy") return problem.accuracy(experiment.x0);
  if (measure == "test_rmse") return problem.test_rmse(experiment.x0);
  double rows = 0;
  for (const auto& part : problem.validated(experiment.x0)) rows += part.rows;
  const Settings& settings = config.problem;
  const bool numbers = settings.has("target") && settings.text("target") == "number";
  return rows > 0 && numbers == (measure == "validation_rmse") ? rows : std::nan("");
}

bool is_single(const Config& config) { return config.general.text("precision") == "float32"; }

}  // namespace

bool lacks_samples(const Config& config, const std::string& measure) {
  if (!is_of_test(measure) && !is_of_validation(measure)) return false;
  return std::isnan(is_single(config) ? tested_at_start<float>(config, measure)
                                      : tested_at_start<double>(config, measure));
}

double probed_pace(const Config& config, const std::string& name) {
  const BudgetAxis& axis = *std::ranges::find(budget_axes(), name, &BudgetAxis::name);
  const double pace = is_single(config) ? pace_of<float>(config, axis) : pace_of<double>(config, axis);
  if (pace == 0)
    throw Error("the method " + config.method.text("name") + " never adds to this count",
                "run.budget." + name, "take a budget of samples");
  return pace;
}

}  // namespace doc2s
