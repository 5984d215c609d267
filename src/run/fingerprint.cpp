// SPDX-License-Identifier: Apache-2.0
#include "fingerprint.hpp"

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

template std::vector<std::uint64_t> fingerprint(const Experiment<float>&);
template std::vector<std::uint64_t> fingerprint(const Experiment<double>&);

}  // namespace doc2s
