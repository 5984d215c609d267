// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/vectors.hpp"
#include "gossip/gossip.hpp"
#include "iterate_method.hpp"
#include "method_parts.hpp"

namespace doc2s {

namespace {

// DGFM⁺ (Lin, Xia, Deng and Luo, AAAI 2024): DGFM with variance reduction. Every q iterations a large batch
// of estimates and several rounds of gossip; in between, differences of estimates on the same pairs (ξ, z) at
// the new and old point.
template <class Real>
class DgfmPlus : public IterateMethod<Real> {
  using IterateMethod<Real>::world_, IterateMethod<Real>::x_;

 public:
  DgfmPlus(World<Real>& world, const Settings& method)
      : IterateMethod<Real>(world, method),
        q_(method.integer("q")),
        b_(static_cast<int>(method.integer("b"))),
        b_prime_(static_cast<int>(method.integer("b_prime"))),
        eta_(static_cast<Real>(method.real("eta"))),
        gossip_(world.gossip("plain", 1, "method dgfm-plus")),
        many_rounds_(world.gossip("chebyshev", method.integer("rounds"), method.where("rounds"))),
        x_old_(world.rows()),
        v_(world.rows()),
        g_(world.rows()) {}

  void step(Tick tick) override {
    this->offer_output(tick);
    if (tick % q_ == 0) {
      world_.all(tick, [this, tick](int i) { restart(i, tick); });  // v = g, the mean of b' estimates
      many_rounds_->mix(v_);                                        // v = FastGossip(g, P, 𝒯)
    } else {
      world_.all(tick, [this, tick](int i) { correct(i, tick); });  // v + g − g^old
      gossip_->mix(v_);                                             // v = P(v + g − g^old)
    }
    world_.each(
        [&](int i) {
          std::ranges::copy(x_.row(i), x_old_.row(i).begin());
          add_scaled<Real>(x_.row(i), -eta_, v_.row(i));
        },
        world_.d());
    gossip_->mix(x_);  // x = P(x − ηv)
  }

  Index estimates(Tick tick) const override { return tick % q_ == 0 ? b_prime_ : b_; }
  std::span<const Real> estimate(int i) const override { return g_.row(i); }

  void state(State& state) override {
    IterateMethod<Real>::state(state);
    state.rows("x_old", x_old_);
    state.rows("v", v_);
    state.rows("g", g_);
  }

 private:
  // g_i = (1/b') Σ est(x_i), v_i = g_i
  void restart(int i, Tick tick) {
    const auto estimate = world_.scratch();
    std::ranges::fill(g_.row(i), Real(0));
    for (int draw = 0; draw < b_prime_; ++draw) {
      world_.estimate(i, tick, x_.row(i), estimate, draw);
      add_scaled<Real>(g_.row(i), Real(1) / static_cast<Real>(b_prime_), estimate);
    }
    std::ranges::copy(g_.row(i), v_.row(i).begin());
  }

  // g_i ← g_i + (1/b) Σ (est(x_i) − est(x_i^old)) on the same pairs (ξ, z), and v_i by as much
  void correct(int i, Tick tick) {
    const auto here = world_.scratch(0), there = world_.scratch(1);
    const Real share = Real(1) / static_cast<Real>(b_);
    for (int draw = 0; draw < b_; ++draw) {
      world_.estimate(i, tick, x_.row(i), here, draw);
      world_.estimate_again(i, tick, x_old_.row(i), there, draw);
      add_scaled<Real>(here, Real(-1), there);
      add_scaled<Real>(g_.row(i), share, here);
      add_scaled<Real>(v_.row(i), share, here);
    }
  }

  const Tick q_;
  const int b_, b_prime_;
  const Real eta_;
  std::unique_ptr<Gossip<Real>> gossip_, many_rounds_;
  Rows<Real> x_old_, v_, g_;
};

}  // namespace

MethodKind dgfm_plus_kind() {
  constexpr double most_draws = 65536;  // that a random number's key tells apart
  return method_kind<DgfmPlus>(
      {.name = "dgfm-plus",
       .title = "DGFM⁺",
       .summary = "DGFM with variance reduction (Lin et al. 2024), zeroth order",
       .guarantee = "its authors'",
       .spends =
           "n·b estimates (twice evaluated) and 2 rounds of gossip; every q iterations n·b_prime and 1 + "
           "rounds"},
      {order_option({"zeroth"}), iterations_option(), step_size_option("step size").tuned(1e-4, 10),
       integer_option("q", 10, "iterations from one large batch to the next").at_least(1),
       integer_option("b", 1, "pairs (sample, direction) per iteration in between")
           .at_least(1)
           .at_most(most_draws),
       integer_option("b_prime", 16, "estimates in a large batch").at_least(1).at_most(most_draws),
       integer_option("rounds", 4, "rounds of Chebyshev gossip after a large batch")
           .at_least(1)
           .at_most(1e6)});
}

}  // namespace doc2s
