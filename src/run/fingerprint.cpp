// SPDX-License-Identifier: Apache-2.0
#include "fingerprint.hpp"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/vectors.hpp"
#include "doc2s/base/random.hpp"

namespace doc2s {

namespace {

template <class Value>
void take(std::uint64_t& hash, const Value& value) {
  hash = XXH3_64bits_withSeed(&value, sizeof value, hash);
}

template <class Real>
std::vector<Real> probing_point(const Experiment<Real>& experiment) {
  std::vector<Real> point(experiment.x0.size());
  Random(experiment.config.seed(), Purpose::probe).normals<Real>(0, point);
  for (std::size_t j = 0; j < point.size(); ++j) point[j] = experiment.x0[j] + Real(0.01) * point[j];
  return point;
}

}  // namespace

template <class Real>
std::vector<std::uint64_t> fingerprint(const Experiment<Real>& experiment) {
  const ClientRange here = experiment.transport->clients();
  const std::vector<Real> point = probing_point(experiment);
  std::vector<std::uint64_t> hashes(here.count);
  const Evaluated& asked = experiment.evaluated;
  experiment.transport->threads().each(std::ssize(asked.clients), [&](Index k) {
    const int client = asked.clients[k];
    take(hashes[client - here.first], experiment.problem().loss(client, asked.samples[k], point));
  });
  experiment.transport->threads().each(here.count, [&](Index k) {
    const int client = here.first + static_cast<int>(k);
    take(hashes[k], experiment.problem().samples(client));
    for (const auto& [neighbour, weight] : experiment.network.P.row(client)) {
      take(hashes[k], neighbour);
      take(hashes[k], weight);
    }
  });
  return hashes;
}

template <class Real>
std::string own_problem_hash(const Experiment<Real>& experiment, const std::vector<std::uint64_t>& here) {
  if (experiment.config.problem.text("name") != own_problem_name) return "";
  std::uint64_t hash = XXH3_64bits(experiment.x0.data(), experiment.x0.size() * sizeof(Real));
  for (const std::uint64_t client : gathered<std::uint64_t>(experiment.processes, here)) take(hash, client);
  return fmt::format("{:016x}", hash);
}

template std::vector<std::uint64_t> fingerprint(const Experiment<float>&);
template std::vector<std::uint64_t> fingerprint(const Experiment<double>&);
template std::string own_problem_hash(const Experiment<float>&, const std::vector<std::uint64_t>&);
template std::string own_problem_hash(const Experiment<double>&, const std::vector<std::uint64_t>&);

}  // namespace doc2s
