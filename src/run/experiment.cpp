// SPDX-License-Identifier: Apache-2.0
#include "experiment.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include "algorithms/client_points.hpp"
#include "base/kernels.hpp"
#include "base/machine_memory.hpp"
#include "changing_config.hpp"
#include "doc2s/base/error.hpp"
#include "gradient_needs.hpp"
#include "theory/theory_parameters.hpp"

namespace doc2s {

namespace {

template <class Real>
std::unique_ptr<Oracle<Real>> make_oracle(const Config& config, const Problem<Real>& problem,
                                          Threads& threads) {
  const typename Oracle<Real>::Setting setting{config.problem.integer("batch"),
                                               config.method.real("delta_prime"), config.seed(), &threads,
                                               static_cast<int>(config.method.integer("directions"))};
  if (config.method.text("order") == "first") {
    if (setting.directions > 1)
      throw Error(fmt::format("order \"first\" takes one gradient an estimate, not {} directions",
                              setting.directions),
                  config.method.where("directions"), "leave it out or take order = \"zeroth\"");
    return make_first_order(problem, setting);
  }
  if (setting.mu == 0)
    throw Error("order \"zeroth\" divides by delta_prime, which is 0", config.method.where("delta_prime"),
                "give a number above 0");
  return make_zeroth_order(problem, setting);
}

const MethodKind& method_of(const Config& config) {
  return kind_named(method_kinds(), config.method, "name");
}

// A method that holds rows has at least three blocks of n×d numbers, only dsgd without momentum two.
template <class Real>
void check_rows(const Problem<Real>& problem, const Config& config, int clients) {
  if (!method_of(config).holds_rows) return;
  require_memory(3.0 * sizeof(Real) * clients * static_cast<double>(problem.dimension()),
                 fmt::format("{} clients with {} numbers each", clients, problem.dimension()),
                 config.clients.where("count"),
                 "take fewer clients, data of a smaller dimension, or method.name = \"doc2s-travel\", which "
                 "holds no rows");
}

// Every thread keeps the batch that it drew last.
void check_batch(const Config& config, int threads) {
  const Index batch = config.problem.integer("batch");
  require_memory(static_cast<double>(sizeof(Index)) * static_cast<double>(batch) * threads,
                 fmt::format("batches of {} samples in {} threads", batch, threads),
                 config.problem.where("batch"), "take a smaller batch");
}

template <class Real>
Config with_batch_noted(Config config, const Problem<Real>& problem, ClientRange here) {
  constexpr Index many = 1000;
  const Index batch = config.problem.integer("batch"), samples = problem.samples(here.first);
  if (batch / many > samples)
    config.notices.push_back(
        fmt::format("{}: client {} has {} samples, so an estimate draws each of them some {} times",
                    config.problem.where("batch"), here.first, samples, batch / samples));
  return config;
}

// What can be told without reading or making anything.
int checked_clients(const Config& config, int threads) {
  check_network(config);
  check_batch(config, threads);
  return static_cast<int>(config.clients.integer("count"));
}

template <class Real>
Network checked_network(const Config& config, const Problem<Real>& problem, int clients_here) {
  check_rows(problem, config, clients_here);
  return make_network(config);
}

template <class Real>
MadeProblem<Real> borrowed(const Problem<Real>& own, const Config& config, ClientRange here) {
  const std::shared_ptr<const Problem<Real>> not_ours(&own, [](const Problem<Real>*) {});
  return users_problem<Real>(not_ours, static_cast<int>(config.clients.integer("count")), here);
}

}  // namespace

int thread_count(const Config& config, const Processes& processes) {
  const auto asked = static_cast<int>(config.run.integer("threads"));
  return asked > 0 ? asked : processes.cores();
}

template <class Real>
Experiment<Real>::Experiment(const Config& given, Processes& given_processes, const Problem<Real>* own)
    : processes(given_processes),
      gathered_before(processes.gathered_bytes()),
      threads(thread_count(given, processes)),
      transport(make_transport<Real>(processes, checked_clients(given, threads.count()), threads)),
      made(own ? borrowed(*own, given, transport->clients())
               : make_problem<Real>(given, transport->clients(), processes)),
      network(checked_network(given, problem(), transport->clients().count)),
      config(with_checked_gradient(
          with_evaluation(
              with_batch_noted(
                  made.settled(with_theory(with_possible_order(with_checked_change(given), problem()),
                                           network, problem(), transport->clients(), processes, threads)),
                  problem(), transport->clients()),
              network.clients(),
              method_of(given).holds_rows || keeps_points(network.clients(), problem().dimension())),
          made, transport->clients())),
      oracle(make_oracle(config, problem(), threads)),
      peers(network, *transport, config.seed()),
      world(peers, *oracle, problem().dimension(), config.seed()),
      algorithm(method_of(config).template make<Real>(world, config.method)),
      x0(static_cast<std::size_t>(world.d())),
      evaluated(choose_evaluated(config, problem(), transport->clients())) {
  require_kernels_asked_for();
  if (algorithm->length() > most_iterations)
    throw Error(fmt::format("{} iterations are more than 2^40", algorithm->length()),
                config.method.where("K"), "take a smaller K or T");
  problem().start(config.seed(), x0);
  algorithm->start(x0);
}

template <class Real>
std::string Experiment<Real>::trajectory() {
  XXH64_hash_t hash = 0;
  const auto take = [&](const void* bytes, std::size_t size) {
    hash = XXH3_64bits_withSeed(bytes, size, hash);
  };
  const Output<Real> output = algorithm->output();
  const Rows<Real>& iterate = algorithm->iterate();
  const ClientRange here = transport->clients();
  for (int rank = 0; rank < processes.count(); ++rank) {
    for (int i = here.first; rank == processes.rank() && i < here.end(); ++i) {
      const std::uint64_t digest = oracle->digest(i);
      take(&digest, sizeof digest);
      if (iterate.dimension() > 0) take(iterate.row(i).data(), iterate.row(i).size_bytes());
      if (output.points) take(output.row(i).data(), output.row(i).size_bytes());
    }
    hash = gathered<XXH64_hash_t>(processes, {hash})[rank];  // the next process goes on from there
  }
  if (!output.points) {  // what travels: every process has it
    std::vector<Real> mean(x0.size());
    algorithm->mean_point(mean);
    take(mean.data(), mean.size() * sizeof(Real));
    take(output.common.data(), output.common.size_bytes());
  }
  return fmt::format("{:016x}", hash);
}

template class Experiment<float>;
template class Experiment<double>;

}  // namespace doc2s
