// SPDX-License-Identifier: Apache-2.0
#include "doc2s/algorithms/world.hpp"

#include <array>

#include "doc2s/base/random.hpp"
#include "gossip/gossip.hpp"
#include "gossip/travellers.hpp"

namespace doc2s {

template <class Real>
int World<Real>::client_at(Tick tick) const {
  return static_cast<int>(Random(seed_, Purpose::sampled_client, 0, tick).below(n()));
}

template <class Real>
int World<Real>::sample_client(Tick tick) const {
  const int client = client_at(tick);
  at(client, [&] { oracle_.prepare_together(client, tick); });
  return client;
}

template <class Real>
double World<Real>::interpolation(int client, Tick tick, int draw) const {
  return Random(seed_, Purpose::interpolation, client, tick, static_cast<std::uint16_t>(draw)).uniform();
}

template <class Real>
double World<Real>::random_scale(int client, Tick tick, int draw) const {
  return Random(seed_, Purpose::interpolation, client, tick, static_cast<std::uint16_t>(draw)).exponential();
}

template <class Real>
std::span<Real> World<Real>::scratch(int k) const {
  thread_local std::array<LargeVector<Real>, 2> vectors;
  vectors.at(k).resize(dimension_);
  return vectors[k];
}

template class World<float>;
template class World<double>;

}  // namespace doc2s
