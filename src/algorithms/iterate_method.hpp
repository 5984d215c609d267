// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <vector>

#include "doc2s/algorithms/algorithm.hpp"
#include "doc2s/algorithms/world.hpp"
#include "doc2s/base/random.hpp"

namespace doc2s {

// A method without epochs, where all clients compute in every iteration and x_i is what they agree on. Its
// output is x_i of one uniform iteration, the same for all clients.
template <class Real>
class IterateMethod : public Algorithm<Real> {
 public:
  IterateMethod(World<Real>& world, const Settings& method)
      : world_(world),
        x_(world.rows()),
        iterations_(method.integer("iterations")),
        kept_(world.rows()),
        last_(world.d()) {}

  void start(std::span<const Real> x0) override {
    world_.each([&](int i) { std::ranges::copy(x0, x_.row(i).begin()); });
    keep();
  }

  Tick length() const override { return iterations_; }
  const Rows<Real>& iterate() override { return x_; }
  void mean_point(std::span<Real> out) const override { world_.mean(x_, out); }
  int callers() const override { return world_.n(); }
  bool interpolates() const override { return false; }

  Output<Real> output() override {
    world_.mean(x_, last_);
    return {&kept_, {}, last_, offered_};
  }

  void state(State& state) override {
    state.rows("x", x_);
    state.value("offered", offered_);
    state.rows("kept", kept_);
  }

 protected:
  // Before the step of this tick, with the x at which it will ask: iteration t takes the place of the one
  // kept so far with chance 1/(t + 1).
  void offer_output(Tick tick) {
    if (Random(world_.seed(), Purpose::output, 0, tick + 1).below(static_cast<std::uint64_t>(tick) + 1) == 0)
      keep();
    offered_ = tick + 1;
  }

  World<Real>& world_;
  Rows<Real> x_;

 private:
  void keep() {
    world_.each([&](int i) { std::ranges::copy(x_.row(i), kept_.row(i).begin()); }, world_.d());
  }

  const Tick iterations_;
  Rows<Real> kept_;
  std::vector<Real> last_;
  Tick offered_ = 0;
};

inline Option iterations_option() {
  return integer_option("iterations", 4000, "iterations of the method")
      .at_least(1)
      .at_most(1e12)
      .changeable();
}

}  // namespace doc2s
