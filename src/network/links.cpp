// SPDX-License-Identifier: Apache-2.0
#include "change.hpp"
#include "doc2s/base/random.hpp"

namespace doc2s {

namespace {

// With probability 1/burst a round an edge's state is drawn anew, down with probability `loss`; else it is
// kept.
class Links : public NetworkChange {
 public:
  Links(const Graph& graph, const Settings& network, std::uint64_t seed)
      : NetworkChange(graph, network.flag("lazy")),
        loss_(network.real("loss")),
        anew_(1 / network.real("burst")),
        seed_(seed) {}

  // Back to the round in which the state was drawn, on average `burst` rounds.
  bool up(Index edge, Tick round, Tick known, bool then) const override {
    for (Tick at = round; at > known; --at) {
      Random chance(seed_, Purpose::link, static_cast<std::uint32_t>(edge), at);
      const bool drawn = chance.uniform() < anew_;
      if (drawn || at == 0) return chance.uniform() >= loss_;
    }
    return then;
  }

 protected:
  Index period() const override { return 0; }
  bool independent() const override { return anew_ == 1; }
  bool drawn_up(Index edge, Index draw) const override {
    return Random(seed_, Purpose::link_trial, static_cast<std::uint32_t>(edge), draw).uniform() >= loss_;
  }

 private:
  const double loss_, anew_;
  const std::uint64_t seed_;
};

}  // namespace

std::shared_ptr<const NetworkChange> make_links(const Graph& graph, const Settings& network,
                                                std::uint64_t seed) {
  return std::make_shared<Links>(graph, network, seed);
}

}  // namespace doc2s
