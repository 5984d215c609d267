// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "doc2s/algorithms/kinds.hpp"
#include "doc2s/algorithms/world.hpp"
#include "doc2s/base/threads.hpp"
#include "doc2s/config/config.hpp"
#include "doc2s/network/network.hpp"
#include "doc2s/transport/transport.hpp"
#include "evaluated.hpp"
#include "problems/kinds.hpp"

namespace doc2s {

constexpr Tick most_iterations = Tick{1} << 40;  // the ticks that a random number's key tells apart

// run.threads, or the cores that fall to this process.
int thread_count(const Config& config, const Processes& processes);

// A config come to life: data read and dealt, network made, method at its start.
template <class Real>
class Experiment {
 public:
  // `own`: the problem, where it is not made by the config; it must outlive this.
  Experiment(const Config& given, Processes& processes, const Problem<Real>* own = nullptr);

  Processes& processes;
  const Index gathered_before;  // bytes that the processes gathered for earlier experiments
  Threads threads;
  std::unique_ptr<Transport<Real>> transport;
  MadeProblem<Real> made;
  Network network;      // after the data, which tells at once what cannot be; a large network takes its time
  const Config config;  // with what data and network decided, e.g. problem.lambda
  std::unique_ptr<Oracle<Real>> oracle;
  Peers<Real> peers;
  World<Real> world;
  std::unique_ptr<Algorithm<Real>> algorithm;
  std::vector<Real> x0;
  Evaluated evaluated;

  const Problem<Real>& problem() const { return *made.problem; }

  // A hash of every estimate, of the iterate and of the output: equal for runs that went the same way.
  std::string trajectory();
};

}  // namespace doc2s
