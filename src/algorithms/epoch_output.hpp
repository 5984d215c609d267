#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "doc2s/algorithms/algorithm.hpp"
#include "doc2s/base/random.hpp"
#include "doc2s/base/rows.hpp"
#include "doc2s/gossip/peers.hpp"

namespace doc2s {

// w_i^out ~ Unif{ŵ_i^1 … ŵ_i^K}, ŵ_i^k = (1/T) Σ_t w_i^{k,t}, for as many epochs k as get finished: epoch k
// takes the place of the one kept so far with chance 1/k, drawn for each client when the epoch begins. So
// only the epochs that will be kept are summed up, and none is stored but the one in hand and the one kept.
// With `together`, all clients keep the same epoch, and every epoch is summed up.
template <class Real>
class EpochOutput {
 public:
  EpochOutput(std::uint64_t seed, ClientRange clients, Index dimension, bool together = false)
      : seed_(seed),
        together_(together),
        sum_(clients, dimension),
        kept_(clients, dimension),
        wanted_(clients.count) {}

  // x_i = x0 for all clients; where nothing gets done, the start is the output.
  void start(const Peers<Real>& peers, std::span<const Real> x0, Rows<Real>& iterate) {
    peers.each([&](int i) {
      std::ranges::copy(x0, iterate.row(i).begin());
      std::ranges::copy(x0, kept_.row(i).begin());
    });
  }

  void begin(const Peers<Real>& peers) {
    ++epoch_;
    choose();
    peers.each(
        [this](int i) {
          if (wants(i) || together_) std::ranges::fill(sum_.row(i), Real(0));
        },
        sum_.dimension());
  }

  bool wants(int client) const { return wanted_[client - sum_.clients().first]; }
  std::span<Real> sum(int client) { return sum_.row(client); }  // Σ_t w_i^{k,t}, of a client that is wanted

  void finish(const Peers<Real>& peers, Tick T) {
    take(peers, T);
    finished_ = epoch_;
  }

  // At the end of a run, in an epoch of which `iterations` are done; `last` is the last whole epoch's mean.
  Output<Real> output(const Peers<Real>& peers, Tick iterations, std::span<Real> last) {
    if (finished_ == 0) {
      if (iterations > 0) take(peers, iterations);  // those of the first epoch stand in
      peers.mean(kept_, last);
    }
    return {kept_, last, finished_};
  }

  const Rows<Real>& sums() const { return sum_; }  // where all clients are summed up

  void state(State& state) {
    state.value("epoch", epoch_);
    state.value("finished", finished_);
    state.rows("sum", sum_);
    state.rows("kept", kept_);
    choose();
  }

 private:
  // whose output this epoch is to be, for all that is known so far
  void choose() {
    for (int i = sum_.clients().first; i < sum_.clients().end() && epoch_ > 0; ++i)
      wanted_[i - sum_.clients().first] =
          Random(seed_, Purpose::output, together_ ? 0 : i, epoch_).below(epoch_) == 0;
  }

  void take(const Peers<Real>& peers, Tick iterations) {
    const auto mean = [&](Real sum) { return sum / static_cast<Real>(iterations); };
    peers.each(
        [&](int i) {
          if (wants(i)) std::ranges::transform(sum_.row(i), kept_.row(i).begin(), mean);
        },
        sum_.dimension());
  }

  std::uint64_t seed_;
  bool together_;
  Tick epoch_ = 0, finished_ = 0;
  Rows<Real> sum_, kept_;
  std::vector<char> wanted_;
};

}  // namespace doc2s
