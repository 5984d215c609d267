// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "doc2s/run/configs.hpp"
#include "run/experiment.hpp"
#include "turns.hpp"

namespace doc2s::bench {

// The default config with these (key, value) changes.
inline Config config_with(const std::vector<std::pair<std::string, std::string>>& values) {
  Changes changes;
  for (const auto& [key, value] : values) changes.push_back({key, value, "bench"});
  return default_config(changes);
}

// A fresh method at its start.
template <class Real>
void start_again(Experiment<Real>& experiment) {
  const MethodKind& kind = kind_named(method_kinds(), experiment.config.method, "name");
  experiment.algorithm.reset();
  experiment.algorithm = kind.make<Real>(experiment.world, experiment.config.method);
  experiment.algorithm->start(experiment.x0);
}

template <class Real>
void all_steps(Experiment<Real>& experiment) {
  const Tick length = experiment.algorithm->length();
  for (Tick tick = 0; tick < length; ++tick) experiment.algorithm->step(tick);
}

// All iterations from the start, without records.
template <class Real>
void run_whole(Experiment<Real>& experiment) {
  start_again(experiment);
  all_steps(experiment);
}

// The same, timing only the steps.
template <class Real>
Timed timed_run(Experiment<Real>& experiment) {
  return [&, steps = clocked([&] { all_steps(experiment); })] {
    start_again(experiment);
    return steps();
  };
}

// All clients' iterates, concatenated.
template <class Real>
std::vector<double> iterate_of(const Experiment<Real>& experiment) {
  const Rows<Real>& rows = experiment.algorithm->iterate();
  std::vector<double> all;
  for (int i = 0; i < rows.clients().count; ++i)
    all.insert(all.end(), rows.row(i).begin(), rows.row(i).end());
  return all;
}

// ‖a − b‖ / ‖b‖
double relative_error(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace doc2s::bench
