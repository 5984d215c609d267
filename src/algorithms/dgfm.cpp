// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/vectors.hpp"
#include "gossip/gossip.hpp"
#include "iterate_method.hpp"
#include "method_parts.hpp"

namespace doc2s {

namespace {

// DGFM (Lin, Xia, Deng and Luo, AAAI 2024): gradient tracking on zeroth-order estimates, all clients in every
// iteration. On gradients it is gradient tracking itself.
template <class Real>
class Dgfm : public IterateMethod<Real> {
  using IterateMethod<Real>::world_, IterateMethod<Real>::x_;

 public:
  Dgfm(World<Real>& world, const Settings& method)
      : IterateMethod<Real>(world, method),
        eta_(static_cast<Real>(method.real("eta"))),
        gossip_(world.gossip("plain", 1, "method dgfm")),
        v_(world.rows()),
        g_(world.rows()) {}

  void step(Tick tick) override {
    this->offer_output(tick);
    world_.all(tick, [this, tick](int i) {
      add_scaled<Real>(v_.row(i), Real(-1), g_.row(i));  // v_i − g_i^old
      world_.estimate(i, tick, x_.row(i), g_.row(i));    // g_i = estimator at x_i
      add_scaled<Real>(v_.row(i), Real(1), g_.row(i));   // + g_i
    });
    gossip_->mix(v_);  // v = P(v + g − g^old)
    world_.each([&](int i) { add_scaled<Real>(x_.row(i), -eta_, v_.row(i)); }, world_.d());
    gossip_->mix(x_);  // x = P(x − ηv)
  }

  void state(State& state) override {
    IterateMethod<Real>::state(state);
    state.rows("v", v_);
    state.rows("g", g_);
  }

 private:
  const Real eta_;
  std::unique_ptr<Gossip<Real>> gossip_;
  Rows<Real> v_, g_;  // v_i = 0 and g_i^old = 0 at first
};

}  // namespace

MethodKind dgfm_kind() {
  return method_kind<Dgfm>(
      {.name = "dgfm",
       .title = "DGFM",
       .summary =
           "decentralised gradient-free method with gradient tracking (Lin et al. 2024), zeroth order; with "
           "order first: gradient tracking",
       .guarantee = "its authors' in zeroth order; none for nonsmooth functions in first order",
       .spends = "n estimates and 2 rounds of gossip"},
      {order_option({"zeroth", "first"}).labelled("first", "gradient tracking"), iterations_option(),
       step_size_option("step size").tuned(1e-4, 10)});
}

}  // namespace doc2s
