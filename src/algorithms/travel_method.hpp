// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "base/vectors.hpp"
#include "client_points.hpp"
#include "doc2s/algorithms/algorithm.hpp"
#include "doc2s/algorithms/world.hpp"
#include "doc2s/base/random.hpp"
#include "gossip/travellers.hpp"
#include "method_parts.hpp"

namespace doc2s {

// A method whose state travels: c travellers, each with z and Δ, ask at the clients where they stand. Its
// output is one draw for all clients: epoch k takes the place of the one kept so far with chance 1/k.
template <class Real>
class TravelMethod : public Algorithm<Real> {
 public:
  TravelMethod(World<Real>& world, const Settings& method)
      : world_(world),
        K_(method.integer("K")),
        T_(method.integer("T")),
        travellers_(world.travellers(
            {checked_travellers(world.n(), method), method.text("route"), method.integer("stay")})),
        points_(world),
        kept_(world.d()),
        last_(world.d()) {}

  void start(std::span<const Real> x0) override {
    travellers_->start(x0);
    points_.start(x0);
    std::ranges::copy(x0, kept_.begin());
    std::ranges::copy(x0, last_.begin());
  }

  Tick length() const override { return K_ * T_; }
  int callers() const override { return travellers_->count(); }
  bool interpolates() const override { return true; }
  bool travels() const override { return true; }

  std::vector<Visit> visits(Tick tick) const override {
    std::vector<Visit> visits;
    for (const auto& one : travellers_->all()) {
      const auto& [client, draw, hops] = one.last;
      visits.push_back({client, draw, drawn_s(client, tick, draw), hops});
    }
    return visits;
  }

  const Rows<Real>& iterate() override { return points_.rows(); }
  void mean_point(std::span<Real> out) const override { travellers_->mean(Vector::z, out); }

  Output<Real> output() override {
    if (finished_ == 0 && done_ > 0) epoch_output(kept_);  // those of the first epoch stand in
    if (finished_ == 0) std::ranges::copy(kept_, last_.begin());
    if (finished_ > 0 && last_is_now()) epoch_output(last_);
    return {nullptr, kept_, last_, finished_};
  }

  void state(State& state) override {
    state.value("done", done_);
    state.value("finished", finished_);
    travellers_->state(state);
    points_.state(state);
    state.numbers<Real>("kept", kept_);
    state.numbers<Real>("last", last_);
  }

 protected:
  using Vector = typename Traveller<Real>::Vector;

  // f(traveller) for all of them, each at its client.
  template <class F>
  void each(Tick tick, const F& f) {
    if (travellers_->count() == 1)
      world_.at(travellers_->all().front().client,
                [&] { world_.expect(travellers_->all().front().client, tick); });
    travellers_->each(f);
    done_ = tick % T_ + 1;
  }

  // Where (tick + 1) mod stay = 0 every traveller moves to its next client.
  void move(Tick tick) {
    travellers_->move(tick, keeps(tick / T_ + 1),
                      [this](int client, std::span<const Real> z) { points_.leave(client, z); });
  }

  // z_k ← (1/c) Σ z_k, and so for the other vectors.
  void average(std::initializer_list<Vector> which) {
    if (travellers_->count() > 1) travellers_->average(which, points_.averaged());
  }

  // After the last iteration of epoch k, from 1.
  void finish_epoch(Tick k) {
    epoch_output(last_);
    if (keeps(k)) {
      std::ranges::copy(last_, kept_.begin());
      travellers_->count_output();
    }
    finished_ = k;
  }

  // What the epoch would be kept as, after done_ of its iterations.
  virtual void epoch_output(std::span<Real> out) const = 0;
  // s of the traveller that is at this client with this draw.
  virtual double drawn_s(int client, Tick tick, int draw) const = 0;

  virtual bool last_is_now() const { return false; }  // else `last` is of the last whole epoch

  World<Real>& world_;
  const Tick K_, T_;
  std::unique_ptr<Travellers<Real>> travellers_;
  Tick done_ = 0;  // iterations of this epoch

 private:
  static int checked_travellers(int n, const Settings& method) {
    const auto c = method.integer("travellers");
    if (c > n)
      throw Error(std::to_string(c) + " travellers are more than the " + std::to_string(n) + " clients",
                  method.where("travellers"), "take at most one for each client");
    return static_cast<int>(c);
  }

  bool keeps(Tick k) const { return Random(world_.seed(), Purpose::output, 0, k).below(k) == 0; }

  ClientPoints<Real> points_;
  LargeVector<Real> kept_, last_;
  Tick finished_ = 0;  // epochs
};

inline std::vector<Option> travel_options(const std::string& route) {
  return {integer_option("travellers", 1,
                         "states that travel (c): 1 spends the fewest samples and bytes, n the fewest rounds")
              .at_least(1)
              .at_most(1 << 20),
          text_option("route", route,
                      "to a client drawn uniformly (uniform), around a tour of all clients (tour), or to a "
                      "neighbour by the weights of P (walk)")
              .one_of(route_names()),
          integer_option("stay", 1,
                         "iterations at a client before the next move: more than 1 saves rounds and bytes "
                         "where clients' data are alike, and ruins the run where they are not")
              .at_least(1)
              .at_most(1e9)
              .tuned(1, 64)
              .tuned_where_changed()};
}

}  // namespace doc2s
