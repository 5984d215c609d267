// SPDX-License-Identifier: Apache-2.0
#include "trial.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/rounds.hpp"
#include "experiment.hpp"
#include "stopwatch.hpp"

namespace doc2s {

namespace {

constexpr double trial_seconds = 0.3, most_work = 5e7;  // numbers that gossip touches in an iteration

template <class Real>
double timed(Experiment<Real>& experiment) {
  experiment.algorithm->start(experiment.x0);
  experiment.algorithm->step(0);  // warms the caches
  Stopwatch watch;
  watch.go();
  Tick steps = 0;
  while (watch.seconds() < trial_seconds) experiment.algorithm->step(++steps);
  return watch.seconds() / static_cast<double>(steps);
}

template <class Real>
std::vector<double> measured(Config config, const std::vector<double>& counts) {
  Processes alone;
  config.method = trial_settings(config.method, 1);
  Experiment<Real> experiment(config, alone);
  const MethodKind& kind = kind_named(method_kinds(), config.method, "name");
  const auto d = static_cast<double>(experiment.world.d());
  const double work = 2 * static_cast<double>(experiment.network.graph.edges()) * d;  // a round
  std::vector<double> seconds;
  for (const double R : counts) {
    const double tried = std::floor(std::clamp(R, 1.0, std::max(1.0, most_work / work)));
    experiment.algorithm.reset();
    experiment.algorithm =
        kind.make<Real>(experiment.world, trial_settings(config.method, static_cast<Index>(tried)));
    seconds.push_back(timed(experiment) * (R / tried));
  }
  return seconds;
}

}  // namespace

std::vector<double> seconds_an_iteration(const Config& config, const std::vector<double>& counts) {
  if (config.general.text("precision") == "float32") return measured<float>(config, counts);
  return measured<double>(config, counts);
}

}  // namespace doc2s
