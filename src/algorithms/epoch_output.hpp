// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "doc2s/algorithms/algorithm.hpp"
#include "doc2s/algorithms/world.hpp"
#include "doc2s/base/random.hpp"

namespace doc2s {

// w_i^out ~ Unif{ŵ_i^1 … ŵ_i^K}, ŵ_i^k = (1/T) Σ_t w_i^{k,t}, for as many epochs k as get finished: epoch k
// replaces the one kept so far with chance 1/k, drawn for each client when the epoch begins. So only epochs
// that will be kept are summed, and none is stored but the current one and the one kept. With `together`, all
// clients keep the same epoch, and every epoch is summed.
template <class Real>
class EpochOutput {
 public:
  explicit EpochOutput(World<Real>& world, bool together = false)
      : world_(world),
        together_(together),
        sum_(world.rows()),
        kept_(world.rows()),
        wanted_(world.here().count) {}

  // x_i = x0 for all clients; where nothing gets done, the start is the output.
  void start(std::span<const Real> x0, Rows<Real>& iterate) {
    world_.each([&](int i) {
      std::ranges::copy(x0, iterate.row(i).begin());
      std::ranges::copy(x0, kept_.row(i).begin());
    });
  }

  void begin() {
    ++epoch_;
    choose();
    world_.each(
        [this](int i) {
          if (wants(i) || together_) std::ranges::fill(sum_.row(i), Real(0));
        },
        sum_.dimension());
  }

  bool wants(int client) const { return wanted_[client - sum_.clients().first]; }
  std::span<Real> sum(int client) { return sum_.row(client); }  // Σ_t w_i^{k,t}, of a client that is wanted

  void finish(Tick T) {
    take(T);
    finished_ = epoch_;
  }

  // At the end of a run, in an epoch of which `iterations` are done; `last` is the last whole epoch's mean.
  Output<Real> output(Tick iterations, std::span<Real> last) {
    if (finished_ == 0) {
      if (iterations > 0) take(iterations);  // those of the first epoch stand in
      world_.mean(kept_, last);
    }
    return {&kept_, {}, last, finished_};
  }

  const Rows<Real>& sums() const { return sum_; }  // where all clients are summed up

  void state(State& state) {
    state.value("epoch", epoch_);
    state.value("finished", finished_);
    state.rows("sum", sum_);
    state.rows("kept", kept_);
    choose();  // again, after loading
  }

 private:
  // Decides for which clients this epoch replaces the one kept.
  void choose() {
    for (int i = sum_.clients().first; i < sum_.clients().end() && epoch_ > 0; ++i)
      wanted_[i - sum_.clients().first] =
          Random(world_.seed(), Purpose::output, together_ ? 0 : i, epoch_).below(epoch_) == 0;
  }

  void take(Tick iterations) {
    const auto mean = [&](Real sum) { return sum / static_cast<Real>(iterations); };
    world_.each(
        [&](int i) {
          if (wants(i)) std::ranges::transform(sum_.row(i), kept_.row(i).begin(), mean);
        },
        sum_.dimension());
  }

  World<Real>& world_;
  bool together_;
  Tick epoch_ = 0, finished_ = 0;
  Rows<Real> sum_, kept_;
  std::vector<char> wanted_;
};

}  // namespace doc2s
