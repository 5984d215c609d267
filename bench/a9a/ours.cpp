// SPDX-License-Identifier: Apache-2.0
#include "competitors.hpp"
#include "data/libsvm.hpp"
#include "problems/svm.hpp"

namespace doc2s::bench {

namespace {

Config config_of(const std::string& data, const std::string& method, Tick K, Tick T) {
  return config_with({{"problem.data", data},
                      {"problem.batch", "1"},
                      {"clients.count", "16"},
                      {"method.name", method},
                      {"method.K", std::to_string(K)},
                      {"method.T", std::to_string(T)}});
}

std::vector<double> dense(const Weights& P) {
  std::vector<double> all(static_cast<std::size_t>(P.clients() * P.clients()));
  for (int i = 0; i < P.clients(); ++i)
    for (const auto& [j, weight] : P.row(i)) all[i * P.clients() + j] = weight;
  return all;
}

}  // namespace

OurRun::OurRun(const std::string& data, const std::string& method, Tick K, Tick T)
    : experiment_(config_of(data, method, K, T), alone_), T_(T) {}

Job OurRun::job() {
  const Config& config = experiment_.config;
  Job job;
  job.method = config.method.text("name");
  job.samples = read_libsvm(config.problem.text("data"));
  map_labels_to_signs(job.samples);
  job.n = experiment_.world.n(), job.d = experiment_.world.d();
  job.iterations = experiment_.algorithm->length(), job.T = T_;
  job.P = dense(experiment_.network.P);
  job.eta = config.method.real("eta"), job.D = config.method.real("D");
  job.mu = config.method.real("delta_prime");
  job.lambda = config.problem.real("lambda"), job.alpha = config.problem.real("alpha");
  if (job.method == "doc2s") {
    job.R = static_cast<int>(config.method.integer("R"));
    job.phi = experiment_.network.rounds(config.method.text("gossip"), job.R).phi;
  }
  look_on(job);
  return job;
}

void OurRun::look_on(Job& job) {
  const Algorithm<double>& method = *experiment_.algorithm;
  job.computing = method.callers();
  const auto slots = static_cast<std::size_t>(job.iterations * job.computing);
  job.row.resize(slots), job.z.resize(slots * static_cast<std::size_t>(job.d));
  for (Tick tick = 0; tick < job.iterations; ++tick) {
    job.client.push_back(method.caller(tick).value_or(0));
    for (int i = 0; i < job.n; ++i) job.s.push_back(experiment_.world.interpolation(i, tick));
  }
  experiment_.oracle->observer = [&](const Estimate<double>& estimate) {  // clients may run concurrently
    const Index slot = estimate.tick * job.computing + (job.computing == 1 ? 0 : estimate.client);
    job.row[slot] = experiment_.problem().row(estimate.client, estimate.batch[0]);
    std::ranges::copy(estimate.z, job.z.begin() + slot * job.d);
  };
  run_whole(experiment_);
  experiment_.oracle->observer = nullptr;
  job.y = iterate_of(experiment_);
}

}  // namespace doc2s::bench
