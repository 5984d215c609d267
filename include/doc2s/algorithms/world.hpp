// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <span>
#include <string>

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
  ~World() { peers_.settle(); }
  World(const World&) = delete;

  int n() const { return peers_.count(); }
  Index d() const { return dimension_; }
  std::uint64_t seed() const { return seed_; }
  ClientRange here() const { return peers_.here(); }        // the clients of this process
  Rows<Real> rows() const { return {here(), dimension_}; }  // zero, one for each of them

  // f() where this client lives
  template <class F>
  void at(int client, const F& f) const {
    if (here().contains(client)) f();
  }
  // f(i) for every client here, side by side where that pays: f works on about so many numbers.
  template <class F>
  void each(const F& f, Index numbers = Threads::worth_a_thread) const {
    peers_.each(f, numbers);
  }
  // The same where every client asks its oracle in this iteration. What chance decides is drawn beforehand,
  // so that samples come from memory in the meantime; a thread that would wait draws for the next iteration.
  template <class F>
  void all(Tick tick, const F& f) const {
    peers_.each_and_ahead(
        [&oracle = oracle_, tick, f](int i) {
          oracle.prepare(i, tick);
          f(i);
        },
        [&oracle = oracle_, tick](int i) { oracle.prepare_ahead(i, tick + 1); });
  }
  // f(first, end) for ranges that together are 0 ≤ j < d, side by side where that pays.
  template <class F>
  void each_range(const F& f) const {
    peers_.each_range(dimension_, f);
  }

  // i^t ~ Unif{0..n−1}, the same in every process
  int client_at(Tick tick) const;
  // The same for this iteration: a long direction of its estimate is drawn by all threads together.
  int sample_client(Tick tick) const;
  // s_i ~ Unif[0, 1]; `draw` tells those of several travellers at the client apart.
  double interpolation(int client, Tick tick, int draw = 0) const;
  // s ~ Exp(1) in its place
  double random_scale(int client, Tick tick, int draw = 0) const;

  // g ← the client's estimate of ∇f_i at w. estimate_again(): the same samples and direction at another point
  // w.
  void estimate(int client, Tick tick, std::span<const Real> w, std::span<Real> g, int draw = 0) const {
    oracle_.estimate(client, tick, w, g, static_cast<std::uint16_t>(draw));
  }
  void estimate_again(int client, Tick tick, std::span<const Real> w, std::span<Real> g, int draw = 0) const {
    oracle_.estimate_again(client, tick, w, g, static_cast<std::uint16_t>(draw));
  }

  // For the notes at the end of a run.
  void count_clipped(int client) const { oracle_.count_clipped(client); }

  // R rounds of gossip of one of gossip_kinds(). Throws Error{…, where} if they would not contract.
  std::unique_ptr<Gossip<Real>> gossip(const std::string& kind, std::int64_t R,
                                       const std::string& where) const {
    return peers_.gossip(kind, static_cast<int>(R), where);
  }
  // States that travel from client to client.
  std::unique_ptr<Travellers<Real>> travellers(const Journey& journey) const {
    return peers_.travellers(journey, dimension_, seed_);
  }
  // Where a single traveller stands, all threads draw a long direction of its estimate together.
  void expect(int client, Tick tick) const { oracle_.prepare_together(client, tick); }
  // out = (1/n) Σ_i row i over all clients
  void mean(const Rows<Real>& rows, std::span<Real> out) const { peers_.mean(rows, out); }

  // Vector k of d numbers of the calling thread, for what it computes of one client.
  std::span<Real> scratch(int k = 0) const;

 private:
  Peers<Real>& peers_;
  Oracle<Real>& oracle_;
  Index dimension_;
  std::uint64_t seed_;
};

}  // namespace doc2s
