#include "doc2s/run/measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "doc2s/base/vectors.hpp"

namespace doc2s {

template <class Real>
Counts count(const Experiment<Real>& experiment, Index iteration, double seconds) {
  const Traffic& traffic = experiment.peers.traffic();
  return {.iteration = iteration,
          .samples = experiment.oracle->samples(),
          .evaluations = experiment.oracle->evaluations(),
          .computation_rounds = iteration,
          .communication_rounds = traffic.rounds,
          .bytes = traffic.bytes,
          .wire_bytes = experiment.transport.wire_bytes(),
          .seconds = seconds};
}

namespace {

// f(x) = (1/n) Σ_i f_i(x), each f_i over the samples chosen for evaluation, folded in the order of the
// clients.
template <class Real>
double loss(const Experiment<Real>& experiment, std::span<const Real> x) {
  double sum = 0;
  for (int i = 0; i < experiment.world.n(); ++i)
    sum += experiment.problem().value(i, experiment.evaluated[i], x, {});
  return sum / experiment.world.n();
}

}  // namespace

template <class Real>
Measures measure(const Experiment<Real>& experiment) {
  const Problem<Real>& problem = experiment.problem();
  const Rows<Real>& x = experiment.algorithm->iterate();
  const int n = experiment.world.n();
  std::vector<Real> mean(static_cast<std::size_t>(experiment.world.d()));
  experiment.peers.mean(x, mean);

  // f at x_0 … x_{n−1} and at x̄, and the accuracy of x̄: side by side, each in one thread
  std::vector<double> losses(n + 1);
  Measures measures;
  experiment.transport.threads().each(n + 2, [&](Index i) {
    if (i == n + 1)
      measures.accuracy = problem.accuracy(mean);
    else
      losses[i] = loss<Real>(experiment, i < n ? x.row(static_cast<int>(i)) : std::span<const Real>(mean));
  });

  for (const auto& samples : experiment.evaluated) measures.evaluated_on += std::ssize(samples);
  measures.loss_mean_point = losses[n];
  measures.loss_worst = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < n; ++i) {
    measures.loss_clients += losses[i] / n;
    measures.loss_worst = std::isnan(losses[i]) ? losses[i] : std::max(measures.loss_worst, losses[i]);
    measures.consensus += distance<Real>(x.row(i), mean) / n;
  }
  return measures;
}

void add_to(JsonObject& object, const Counts& counts) {
  object.add("samples", counts.samples)
      .add("evaluations", counts.evaluations)
      .add("computation_rounds", counts.computation_rounds)
      .add("communication_rounds", counts.communication_rounds)
      .add("bytes", counts.bytes)
      .add("wire_bytes", counts.wire_bytes)
      .add("seconds", counts.seconds);
}

void add_to(JsonObject& object, const Measures& measures) {
  object.add("loss_mean_point", measures.loss_mean_point)
      .add("loss_clients", measures.loss_clients)
      .add("loss_worst", measures.loss_worst);
  if (!std::isnan(measures.accuracy)) object.add("accuracy", measures.accuracy);
  object.add("consensus", measures.consensus).add("evaluated_on", measures.evaluated_on);
}

template Counts count(const Experiment<float>&, Index, double);
template Counts count(const Experiment<double>&, Index, double);
template Measures measure(const Experiment<float>&);
template Measures measure(const Experiment<double>&);

}  // namespace doc2s
