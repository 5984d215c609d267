// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/vectors.hpp"
#include "epoch_output.hpp"
#include "fused_steps.hpp"
#include "gossip/gossip.hpp"
#include "method_parts.hpp"

namespace doc2s {

namespace {

// ME-DOL (Sahinoglu and Shahrampour, ICML 2024): every client asks its oracle in every iteration. The paper's
// form steps along Δ̂_i = Π_D(Δ_i − η g_i) before Δ̂ is mixed, the authors' program along the mixed Δ_i.
template <class Real>
class MeDol : public Algorithm<Real> {
 public:
  MeDol(World<Real>& world, const Settings& method)
      : world_(world),
        paper_form_(method.text("form") == "paper"),
        K_(method.integer("K")),
        T_(method.integer("T")),
        eta_(static_cast<Real>(method.real("eta"))),
        D_(method.real("D")),
        gossip_(world.gossip("plain", 1, "method me-dol")),
        y_(world.rows()),
        Delta_(world.rows()),
        g_(world.rows()),
        last_(world.d()),
        out_(world, /*together=*/true) {}

  void start(std::span<const Real> x0) override {
    out_.start(x0, y_);  // y_i = x0
    std::ranges::copy(x0, last_.begin());
  }

  void step(Tick tick) override {
    t_ = tick % T_;
    if (t_ == 0) begin_epoch();  // Δ_i = 0, g_i = 0
    world_.all(tick, [this, tick](int i) {
      const auto y = y_.row(i), Delta = Delta_.row(i), g = g_.row(i), w = world_.scratch();
      const auto s = world_.interpolation(i, tick);
      if (paper_form_) project(i, tick, Delta, g);    // Δ̂_i = Π_D(Δ_i − η g_i)
      step_along<Real>(Delta, s, y, w, out_.sum(i));  // w_i = y_i + s_i Δ̂_i, x_i = y_i + Δ̂_i
      world_.estimate(i, tick, w, g);                 // g_i = estimator at w_i
      if (!paper_form_) project(i, tick, Delta, g);   // Δ̂_i = Π_D(Δ_i − η g_i)
    });
    gossip_->mix(y_);      // y = P x
    gossip_->mix(Delta_);  // Δ = P Δ̂
    if (t_ == T_ - 1) finish_epoch();
  }

  Tick length() const override { return K_ * T_; }
  const Rows<Real>& iterate() override { return y_; }
  void mean_point(std::span<Real> out) const override { world_.mean(y_, out); }
  int callers() const override { return world_.n(); }
  bool interpolates() const override { return true; }
  Output<Real> output() override { return out_.output(t_ + 1, last_); }

  bool show_before_gossip(Tick tick, const std::function<void(const Rows<Real>& x)>& look) override {
    if (tick % T_ == 0) {  // an epoch begins with Δ = 0 and g = 0
      look(y_);
      return true;
    }
    Rows<Real> x = world_.rows();
    world_.each([&](int i) { fill_before_gossip(i, x.row(i)); }, world_.d());
    look(x);
    return true;
  }

  void state(State& state) override {
    state.value("t", t_);
    state.rows("y", y_);
    state.rows("Delta", Delta_);
    state.rows("g", g_);
    state.numbers<Real>("last", last_);
    out_.state(state);
  }

 private:
  void begin_epoch() {
    out_.begin();
    world_.each(
        [&](int i) {
          std::ranges::fill(Delta_.row(i), Real(0));
          std::ranges::fill(g_.row(i), Real(0));
        },
        world_.d());
  }

  // Δ_i ← Π_D(Δ_i − η g_i)
  void project(int i, Tick tick, std::span<Real> Delta, std::span<const Real> g) const {
    const double length = descend<Real>(Delta, eta_, g);
    scale<Real>(Delta, static_cast<Real>(clip_factor(world_, length, D_, i, tick)));
  }

  // x_i = y_i + Δ̂_i, or y_i + Δ_i. Where Δ̂_i is not finite neither is x_i; the step itself then says so.
  void fill_before_gossip(int i, std::span<Real> x) const {
    std::ranges::copy(Delta_.row(i), x.begin());
    if (paper_form_) {
      const double length = descend<Real>(x, eta_, g_.row(i));
      scale<Real>(x, static_cast<Real>(std::min(1.0, D_ / length)));
    }
    add_scaled<Real>(x, Real(1), y_.row(i));
  }

  void finish_epoch() {
    out_.finish(T_);
    world_.mean(out_.sums(), last_);
    for (Real& number : last_) number /= static_cast<Real>(T_);
  }

  World<Real>& world_;
  const bool paper_form_;
  const Tick K_, T_;
  const Real eta_;
  const double D_;
  std::unique_ptr<Gossip<Real>> gossip_;
  Rows<Real> y_, Delta_, g_;
  std::vector<Real> last_;  // the last whole epoch's mean over clients and iterations
  EpochOutput<Real> out_;
  Tick t_ = -1;  // within the epoch, from 0
};

}  // namespace

MethodKind me_dol_kind() {
  return method_kind<MeDol>(
      {.name = "me-dol",
       .title = "ME-DOL",
       .summary =
           "multi-epoch decentralised online learning (Sahinoglu and Shahrampour 2024): all clients compute",
       .guarantee = "its authors': the mean over clients is Goldstein stationary in expectation",
       .spends = "n estimates and 2 rounds of gossip"},
      {order_option(),
       text_option(
           "form", "paper",
           "step along the clipped Delta (paper) or along the mixed one (code, as the authors' program)")
           .one_of({"paper", "code"}),
       epochs_option(), learner_length_option(), step_size_option("step size of the online learner"),
       radius_option()});
}

}  // namespace doc2s
