#include "doc2s/run/experiment.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

constexpr Tick most_iterations = Tick{1} << 40;  // the ticks that a random number's key tells apart

template <class Real>
std::unique_ptr<Oracle<Real>> make_oracle(const Config& config, const Problem<Real>& problem) {
  const typename Oracle<Real>::Setting setting{config.problem.integer("batch"),
                                               config.method.real("delta_prime"), config.seed()};
  if (config.method.text("order") == "first") return make_first_order(problem, setting);
  if (setting.mu == 0)
    throw Error("order \"zeroth\" divides by delta_prime, which is 0", config.method.where("delta_prime"),
                "give a number above 0");
  return make_zeroth_order(problem, setting);
}

}  // namespace

template <class Real>
Experiment<Real>::Experiment(const Config& given)
    : config(given),
      notices(given.notices),
      threads(static_cast<int>(config.run.integer("threads"))),
      network(make_network(static_cast<int>(config.clients.integer("count")), config.network, config.seed())),
      made(kind_named(problem_kinds(), config.problem, "name")
               .template make<Real>({config.problem, config.clients, config.seed()})),
      transport(network.clients(), threads),
      oracle(make_oracle(config, problem())),
      peers(network, transport),
      world(peers, *oracle, problem().dimension(), config.seed()),
      algorithm(kind_named(method_kinds(), config.method, "name").template make<Real>(world, config.method)),
      x0(static_cast<std::size_t>(world.d())) {
  if (algorithm->length() > most_iterations)
    throw Error(fmt::format("{} iterations are more than 2^40", algorithm->length()),
                config.method.where("K"), "take a smaller K or T");
  notices.insert(notices.end(), made.notices.begin(), made.notices.end());
  for (const auto& [name, value] : made.facts)
    if (!config.problem.has(name)) config.problem.set(name, value);
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
  for (int i = 0; i < world.n(); ++i) {
    const std::uint64_t digest = oracle->digest(i);
    take(&digest, sizeof digest);
    take(algorithm->iterate().row(i).data(), algorithm->iterate().row(i).size_bytes());
    take(output.points.row(i).data(), output.points.row(i).size_bytes());
  }
  return fmt::format("{:016x}", hash);
}

template class Experiment<float>;
template class Experiment<double>;

}  // namespace doc2s
