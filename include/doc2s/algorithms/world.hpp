#pragma once
#include "doc2s/base/random.hpp"
#include "doc2s/gossip/peers.hpp"
#include "doc2s/oracles/oracle.hpp"

namespace doc2s {

// All that a method sees of the experiment: who the clients are, how they talk, and whom they can ask. The
// same text of a method runs in one process and in many.
template <class Real>
class World {
 public:
  World(Peers<Real>& peers, Oracle<Real>& oracle, Index dimension, std::uint64_t seed)
      : peers_(peers), oracle_(oracle), dimension_(dimension), seed_(seed) {}

  int n() const { return peers_.count(); }
  Index d() const { return dimension_; }
  std::uint64_t seed() const { return seed_; }
  Peers<Real>& peers() const { return peers_; }
  Oracle<Real>& oracle() const { return oracle_; }

  bool owns(int client) const { return peers_.here().contains(client); }

  // i^t ~ Unif{0..n−1}, the same in every process
  int sampled_client(Tick tick) const {
    return static_cast<int>(Random(seed_, Purpose::sampled_client, 0, tick).below(n()));
  }
  // s_i ~ Unif[0, 1]
  double interpolation(int client, Tick tick) const {
    return Random(seed_, Purpose::interpolation, client, tick).uniform();
  }

 private:
  Peers<Real>& peers_;
  Oracle<Real>& oracle_;
  Index dimension_;
  std::uint64_t seed_;
};

}  // namespace doc2s
