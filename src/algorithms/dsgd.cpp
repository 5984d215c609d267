// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/vectors.hpp"
#include "gossip/gossip.hpp"
#include "iterate_method.hpp"
#include "method_parts.hpp"

namespace doc2s {

namespace {

// Decentralised SGD with momentum and local steps, all clients in every iteration: what people would use
// instead. Not from the paper, and without a guarantee for nonsmooth nonconvex functions.
template <class Real>
class Dsgd : public IterateMethod<Real> {
  using IterateMethod<Real>::world_, IterateMethod<Real>::x_;

 public:
  Dsgd(World<Real>& world, const Settings& method)
      : IterateMethod<Real>(world, method),
        local_steps_(method.integer("local_steps")),
        eta_(static_cast<Real>(method.real("eta"))),
        beta_(static_cast<Real>(method.real("momentum"))),
        gossip_(local_steps_ > 0 ? world.gossip("plain", 1, "method dsgd") : nullptr),
        m_(beta_ > 0 ? world.rows() : Rows<Real>(world.here(), 0)) {}

  void step(Tick tick) override {
    this->offer_output(tick);
    world_.all(tick, [this, tick](int i) {
      const auto g = world_.scratch();
      world_.estimate(i, tick, x_.row(i), g);  // g_i = estimator at x_i
      const auto m = with_momentum(i, g);      // m_i = β m_i + (1 − β) g_i
      add_scaled<Real>(x_.row(i), -eta_, m);   // x_i = x_i − η m_i
    });
    if (gossip_ && (tick + 1) % local_steps_ == 0) gossip_->mix(x_);  // x = P x
  }

  void state(State& state) override {
    IterateMethod<Real>::state(state);
    if (beta_ > 0) state.rows("m", m_);
  }

 private:
  // m_i ← β m_i + (1 − β) g_i; for β = 0 it is g_i, and nothing is kept.
  std::span<const Real> with_momentum(int i, std::span<const Real> g) {
    if (beta_ == 0) return g;
    scale<Real>(m_.row(i), beta_);
    add_scaled<Real>(m_.row(i), 1 - beta_, g);
    return m_.row(i);
  }

  const Tick local_steps_;
  const Real eta_, beta_;
  std::unique_ptr<Gossip<Real>> gossip_;  // none where every client stays alone
  Rows<Real> m_;                          // m_i = 0 at first
};

}  // namespace

MethodKind dsgd_kind() {
  return method_kind<Dsgd>(
      {.name = "dsgd",
       .title = "DSGD",
       .summary = "decentralised SGD with momentum and local steps: all clients compute; not from the paper",
       .guarantee = "none for nonsmooth nonconvex functions",
       .spends = "n estimates, and 1 round of gossip every local_steps iterations"},
      {order_option(), iterations_option(), step_size_option("step size").tuned(1e-4, 10),
       real_option("momentum", 0.0, "share of the old direction in a new one")
           .at_least(0)
           .below(1)
           .tuned_to_one(0.5, 0.997)
           .tuned_where_changed(),
       integer_option("local_steps", 1, "iterations from one gossip to the next; 0: every client stays alone")
           .at_least(0)});
}

}  // namespace doc2s
