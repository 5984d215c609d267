// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "doc2s/base/types.hpp"
#include "doc2s/network/network.hpp"

namespace doc2s {

// Where travellers go. Every process knows it without a message.
class Route {
 public:
  struct Leg {
    int to;
    int hops;  // edges on the way; 0: it stays
  };

  virtual ~Route() = default;
  virtual int start(int traveller) const = 0;                      // at tick 0
  virtual Leg next(int traveller, int from, Tick tick) const = 0;  // where it is at `tick`
  virtual double mean_hops() const = 0;  // of a leg in the long run; up to n² work, for plans
};

// "uniform": i ~ Unif{0..n−1}, along a shortest path. "tour": a closed walk with each client once a turn;
// traveller k starts ⌊kn/c⌋ places on from a start drawn from the seed. "walk": to j with probability p_ij,
// whose stationary distribution is uniform. The network must outlive the route.
std::unique_ptr<Route> make_route(const std::string& kind, const Network& network, int travellers,
                                  std::uint64_t seed);
const std::vector<std::string>& route_names();

}  // namespace doc2s
