// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "doc2s/base/large_memory.hpp"
#include "whole_run.hpp"

namespace doc2s::bench {

struct TripSize {
  std::string method;
  int n;
  Index d;
  Index samples;  // of all clients
  int travellers = 1;

  static constexpr Tick T = 100;
};

// Samples with few features, so that dense vectors dominate; a ring, one thread, the method's default route.
inline Config trip_config(const TripSize& size, const std::string& precision) {
  return config_with({{"precision", precision},
                      {"run.threads", "1"},
                      {"problem.data", "synthetic"},
                      {"problem.size", std::to_string(size.samples)},
                      {"problem.dimension", std::to_string(size.d)},
                      {"problem.sparsity", fmt::format("{:.9f}", 10.0 / static_cast<double>(size.d))},
                      {"clients.count", std::to_string(size.n)},
                      {"method.name", size.method},
                      {"method.T", std::to_string(TripSize::T)},
                      {"method.travellers", std::to_string(size.travellers)}});
}

template <class Real>
constexpr const char* precision_name = sizeof(Real) == 4 ? "float32" : "float64";

// A travelling method at work, its oracle alone, and a copy: the seconds of each.
template <class Real>
class Trip {
 public:
  explicit Trip(const TripSize& size)
      : size_(size),
        experiment_(trip_config(size, precision_name<Real>), alone_),
        from_(2 * size.d, Real(1)),
        to_(2 * size.d),
        point_(size.d),
        g_(size.d) {
    const double one = best_of_tries(clocked([this] { step(); }), 0.01)();
    in_turn_ = std::clamp<Tick>(static_cast<Tick>(0.002 / one), 2, 1000);
    start_again(experiment_);
    tick_ = 0;
  }

  Experiment<Real>& experiment() { return experiment_; }
  void step() { experiment_.algorithm->step(tick_++); }

  Timed iteration() {
    return each([this](Tick) { step(); });
  }

  // The estimates of the iterations just done once more, at the point where the traveller is now. Their
  // chance is drawn anew: an oracle remembers only that of its last estimate.
  Timed oracle() {
    const Timed all =
        each([this](Tick k) { experiment_.oracle->estimate(clients_[k], tick_ - in_turn_ + k, point_, g_); });
    return [this, all] {
      experiment_.algorithm->mean_point(point_);
      clients_.clear();
      for (Tick k = 0; k < in_turn_; ++k) clients_.push_back(client_of(tick_ - in_turn_ + k));
      return all();
    };
  }

  Timed copy() {  // of 2d numbers, which a traveller takes along
    return clocked_often([this] { std::memcpy(to_.data(), from_.data(), from_.size() * sizeof(Real)); });
  }

  // Where a single traveller is: doc2s-travel goes to clients drawn uniformly, token around the ring.
  int client_of(Tick tick) const {
    if (size_.method == "doc2s-travel") return experiment_.world.client_at(tick);
    return static_cast<int>((experiment_.world.client_at(0) + tick) % size_.n);
  }

 private:
  template <class Work>
  Timed each(Work work) const {
    const Timed all = clocked([work, count = in_turn_] {
      for (Tick k = 0; k < count; ++k) work(k);
    });
    return [all, count = in_turn_] { return all() / static_cast<double>(count); };
  }

  const TripSize size_;
  Processes alone_;
  Experiment<Real> experiment_;
  LargeVector<Real> from_, to_, point_, g_;
  std::vector<int> clients_;  // of the iterations just done
  Tick tick_ = 0;
  Tick in_turn_;  // iterations of a turn, for the clock's sake
};

// So many iterations of a fresh trip of one traveller. Throws WrongAnswer unless they go as the method's
// listing says.
template <class Real>
void check_listing(Trip<Real>& trip, const TripSize& size, Tick ticks);

}  // namespace doc2s::bench
