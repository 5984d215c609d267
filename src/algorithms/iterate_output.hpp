#pragma once
#include <algorithm>
#include <vector>

#include "doc2s/algorithms/algorithm.hpp"
#include "doc2s/algorithms/world.hpp"
#include "doc2s/base/random.hpp"

namespace doc2s {

// The output of a method without epochs: x_i of one uniform iteration, the same for all clients. Iteration t
// takes the place of the one kept so far with chance 1/(t + 1).
template <class Real>
class IterateOutput {
 public:
  explicit IterateOutput(World<Real>& world) : world_(world), kept_(world.rows()), last_(world.d()) {}

  void start(const Rows<Real>& x0) { keep(x0); }

  // Before the step of this tick, with the x at which it will ask.
  void offer(Tick tick, const Rows<Real>& x) {
    if (Random(world_.seed(), Purpose::output, 0, tick + 1).below(static_cast<std::uint64_t>(tick) + 1) == 0)
      keep(x);
    offered_ = tick + 1;
  }

  Output<Real> output(const Rows<Real>& x) {
    world_.mean(x, last_);
    return {kept_, last_, offered_};
  }

  void state(State& state) {
    state.value("offered", offered_);
    state.rows("kept", kept_);
  }

 private:
  void keep(const Rows<Real>& x) {
    world_.each([&](int i) { std::ranges::copy(x.row(i), kept_.row(i).begin()); }, world_.d());
  }

  World<Real>& world_;
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
