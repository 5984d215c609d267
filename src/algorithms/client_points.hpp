// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "doc2s/algorithms/world.hpp"

namespace doc2s {

inline bool keeps_points(Index clients, Index dimension) { return clients * dimension <= 100'000'000; }

// What each client has seen of a state that travels: the z that last left it, x0 before, the mean after an
// averaging. Kept only where keeps_points(); measures alone read it.
template <class Real>
class ClientPoints {
 public:
  explicit ClientPoints(World<Real>& world)
      : world_(world),
        rows_(world.here(), keeps_points(world.n(), world.d()) ? world.d() : 0),
        fresh_(rows_.dimension() > 0 ? world.here().count : 0),
        averaged_(world.d()) {}

  void start(std::span<const Real> x0) { std::ranges::copy(x0, averaged().begin()); }

  void leave(int client, std::span<const Real> z) {
    if (fresh_.empty()) return;
    std::ranges::copy(z, rows_.row(client).begin());
    fresh_[client - rows_.clients().first] = true;
  }

  // Where the mean goes that all clients have from now on.
  std::span<Real> averaged() {
    fresh_.assign(fresh_.size(), false);
    return averaged_;
  }

  // Of no numbers where they are not kept. Clients that nobody left since the averaging have its mean.
  Rows<Real>& rows() {
    if (fresh_.empty()) return rows_;
    world_.each(
        [this](int i) {
          if (!fresh_[i - rows_.clients().first]) std::ranges::copy(averaged_, rows_.row(i).begin());
        },
        world_.d());
    return rows_;
  }

  void state(State& state) {
    if (fresh_.empty()) return;
    state.rows("points", rows());
    fresh_.assign(fresh_.size(), true);  // after loading, too, all rows are whole
  }

 private:
  World<Real>& world_;
  Rows<Real> rows_;
  std::vector<char> fresh_;     // whether the client was left since the averaging
  LargeVector<Real> averaged_;  // x0, or the mean of the last averaging
};

}  // namespace doc2s
