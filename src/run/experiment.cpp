#include "experiment.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include "base/kernels.hpp"
#include "base/machine_memory.hpp"
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
Index checked_dimension(const Problem<Real>& problem, const MethodKind& method, int clients) {
  if (!method.holds_rows) return problem.dimension();
  const double needed = 3.0 * sizeof(Real) * clients * static_cast<double>(problem.dimension());
  const double there = machine_memory();
  if (needed > there)
    throw MachineError(
        fmt::format("{} clients with {} numbers each need {:.3g} GB of memory, and this machine has {:.3g}",
                    clients, problem.dimension(), needed / 1e9, there / 1e9),
        "", "take fewer clients or data of a smaller dimension");
  return problem.dimension();
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
      network(make_network(given)),
      transport(make_transport<Real>(processes, network.clients(), threads)),
      made(own ? borrowed(*own, given, transport->clients())
               : make_problem<Real>(given, transport->clients(), processes)),
      config(with_checked_gradient(
          with_evaluation(made.settled(with_theory(with_possible_order(given, problem()), network, problem(),
                                                   transport->clients(), processes, threads)),
                          network.clients()),
          made, transport->clients())),
      oracle(make_oracle(config, problem(), threads)),
      peers(network, *transport),
      world(peers, *oracle, checked_dimension(problem(), method_of(config), transport->clients().count),
            config.seed()),
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
