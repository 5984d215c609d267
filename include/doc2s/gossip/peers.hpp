// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "doc2s/base/state.hpp"
#include "doc2s/base/threads.hpp"
#include "doc2s/network/network.hpp"
#include "doc2s/transport/divergence.hpp"

namespace doc2s {

template <class Real>
class ChangingRounds;
template <class Real>
class Gossip;
template <class Real>
class Transport;
template <class Real>
class Travellers;

// What a method costs by its own definition. A round of gossip sends a whole row over every edge that is up,
// both ways; a traveller takes its vectors over the edges of its way.
struct Traffic {
  Index rounds = 0;
  Index bytes = 0;
  Index output_bytes = 0;  // of travellers, for what becomes the output: in neither of the others
};

// How c travellers go from client to client.
struct Journey {
  int travellers;     // c
  std::string route;  // one of route_names()
  Tick stay;          // iterations at a client before the next move
};

// The clients of this and other processes, and what they do together. World is what methods see; it forwards
// to Peers, which forwards to Threads and Transport.
template <class Real>
class Peers {
 public:
  // The seed decides the numbers by which the rounds of a network that changes are measured.
  Peers(const Network& network, Transport<Real>& transport, std::uint64_t seed = 0);
  ~Peers();

  int count() const { return network_.clients(); }  // n
  ClientRange here() const { return here_; }        // those of this process
  // f for every client of this process, in parallel where that pays: f works on about `numbers` numbers.
  template <class F>
  void each(const F& f, Index numbers = Threads::worth_a_thread) const {
    threads_.each(here_.count, Part<F>{{f, here_.first}}, numbers);
  }
  // Like each(), always on threads. A waiting thread may call ahead(i) to prepare the next iteration;
  // settle() must be called before anything that ahead() uses is destroyed.
  template <class F, class Ahead>
  void each_and_ahead(const F& f, const Ahead& ahead) const {
    divergence_.attempt_together([&] {
      threads_.each(here_.count, Part<F>{{f, here_.first}}, Threads::worth_a_thread,
                    ForClient<Ahead>{ahead, here_.first});
    });
  }
  void settle() const { threads_.settle(); }

  // f(first, end) for ranges that together are 0 ≤ j < d, side by side where that pays.
  template <class F>
  void each_range(Index d, const F& f) const {
    constexpr Index length = 4096;  // numbers: ranges of some vectors fit L2
    threads_.each((d + length - 1) / length, [&](Index k) { f(k * length, std::min(d, (k + 1) * length)); },
                  length);
  }

  // R rounds of gossip of one of gossip_kinds(). Throws Error{…, where} if they would not contract.
  std::unique_ptr<Gossip<Real>> gossip(const std::string& kind, int R, const std::string& where);

  // Travellers with vectors of d numbers, at the start of their way.
  std::unique_ptr<Travellers<Real>> travellers(const Journey& journey, Index d, std::uint64_t seed);

  // out = (1/n) Σ_i row i over all clients, folded in their order
  void mean(const Rows<Real>& rows, std::span<Real> out) const;

  const Traffic& traffic() const { return traffic_; }
  // What a round of a network that changes left of a disagreement in this run, in the geometric mean; nothing
  // where the network stays or nothing was mixed.
  std::optional<double> measured_contraction() const;
  void state(State& state);

 private:
  template <class F>
  struct ForClient {
    F f;
    int first;
    void operator()(Index k) const { f(first + static_cast<int>(k)); }
  };
  // A copy of f in a cache line of its own: all that other threads read of it.
  template <class F>
  struct alignas(64) Part : ForClient<F> {};

  const Network& network_;
  Transport<Real>& transport_;
  Threads& threads_;
  Divergence& divergence_;
  ClientRange here_;
  std::uint64_t seed_;
  Traffic traffic_;
  std::unique_ptr<ChangingRounds<Real>> changing_;  // of all gossip where the network changes
};

}  // namespace doc2s
