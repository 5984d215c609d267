// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "doc2s/base/large_memory.hpp"
#include "doc2s/base/state.hpp"
#include "doc2s/gossip/peers.hpp"
#include "doc2s/transport/transport.hpp"
#include "network/route.hpp"
#include "network/waiting.hpp"

namespace doc2s {

// A state that travels from client to client, in the process of the client where it stands.
template <class Real>
class Traveller {
 public:
  enum Vector { z, Delta, trail, vectors };  // d numbers each; the trail is what the output is made of

  int number = 0;  // k
  int client = 0;  // where it stands
  int draw = 0;    // lower-numbered travellers at the same client
  struct Visit {
    int client, draw;
    int hops;  // of the move afterwards
  } last{};    // where it stood in the last iteration

  std::span<Real> operator[](Vector which) {
    return std::span(cargo).subspan(which * dimension(), dimension());
  }
  std::span<const Real> operator[](Vector which) const {
    return std::span(cargo).subspan(which * dimension(), dimension());
  }
  double squares() const;  // Σ ‖g‖² over its estimates
  void add_square(double square);

  LargeVector<Real> cargo;  // the vectors and the squares, in one message; empty in other processes

  static constexpr Index tail = sizeof(Real) == 8 ? 1 : 2;  // numbers that hold the squares
  Index dimension() const { return (static_cast<Index>(cargo.size()) - tail) / vectors; }
};

// c travellers on their routes. Every process knows where each of them is.
template <class Real>
class Travellers {
 public:
  using Vector = typename Traveller<Real>::Vector;

  Travellers(const Journey& journey, Index dimension, std::uint64_t seed, const Network& network,
             Transport<Real>& transport, Traffic& traffic);

  int count() const { return static_cast<int>(all_.size()); }
  std::span<const Traveller<Real>> all() const { return all_; }

  void start(std::span<const Real> x0);  // all vectors are x0, but Δ = 0

  // f(traveller) for those of this process, side by side but for those at one client, who come in their
  // order.
  template <class F>
  void each(const F& f) {
    const auto groups = std::ssize(first_of_client_) - 1;
    const auto group = [&](Index part) {
      for (int k = first_of_client_[part]; k < first_of_client_[part + 1]; ++k) f(all_[here_[k]]);
    };
    transport_.divergence().attempt_together([&] {
      if (groups == 1) return group(0);
      transport_.threads().each(groups, group);
    });
  }

  // Where (tick + 1) mod stay = 0 every traveller goes to its next client, after left(client, z) where it
  // was. `output`: the trail goes along by the method's definition.
  template <class Left>
  void move(Tick tick, bool output, const Left& left) {
    for (auto& one : all_) one.last = {one.client, one.draw, 0};
    if ((tick + 1) % stay_ != 0) return;
    for (const auto& one : all_) legs_[one.number] = route_->next(one.number, one.client, tick + 1);
    for (auto& one : all_)
      if (legs_[one.number].hops > 0 && is_here(one)) left(one.client, one[Vector::z]);
    go(output);
  }

  // v_k ← (1/c) Σ_k v_k, folded in the order of k, up and down the breadth-first tree; mean: of the first
  // one.
  void average(std::initializer_list<Vector> which, std::span<Real> mean);
  // The same for records and outputs: in every process, and the travellers keep what they have.
  void mean(Vector which, std::span<Real> out) const;
  // What the method's definition spends to bring d numbers down the tree for an output.
  void count_output();

  void state(State& state);

 private:
  bool is_here(const Traveller<Real>& one) const { return transport_.clients().contains(one.client); }
  void go(bool output);
  void arrange();
  std::vector<Real> packed(const Traveller<Real>& one, std::initializer_list<Vector> which) const;
  void fold_at_first(std::initializer_list<Vector> which, std::vector<double>& sums);
  void send_down(std::span<Real> means);
  Index cargo_numbers() const { return Traveller<Real>::vectors * dimension_ + Traveller<Real>::tail; }
  static Index bytes(Index numbers) { return numbers * static_cast<Index>(sizeof(Real)); }

  Tick rounds_of_move() const;
  Tick rounds_of_averaging() const;

  const Index dimension_;
  const Tick stay_;
  const NetworkChange* const change_;       // null: all edges are always up
  std::unique_ptr<const TreeRounds> tree_;  // of an averaging where the network changes
  std::unique_ptr<Route> route_;
  Index tree_edges_, tree_depth_;
  Transport<Real>& transport_;
  Traffic& traffic_;
  const int rank_, ranks_;
  std::unique_ptr<Messages<Real>> messages_;  // where there are several processes
  std::vector<Traveller<Real>> all_;
  std::vector<int> by_client_;        // all, by client, then by number
  std::vector<Route::Leg> legs_;      // of this iteration
  std::vector<int> here_;             // those of this process, by client, then by number
  std::vector<int> first_of_client_;  // places in here_, and its end
};

}  // namespace doc2s
