#include <algorithm>
#include <cmath>

#include "epoch_output.hpp"
#include "gossip/mixed_rows.hpp"
#include "method_parts.hpp"
#include "methods.hpp"

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
        gossip_(world.peers().gossip("plain", 1, "method me-dol")),
        y_(*gossip_, world.peers().here(), world.d()),
        Delta_(*gossip_, world.peers().here(), world.d()),
        g_(world.peers().here(), world.d()),
        last_(world.d()),
        out_(world.seed(), world.peers().here(), world.d(), /*together=*/true) {}

  ~MeDol() override { world_.peers().settle(); }

  void start(std::span<const Real> x0) override {
    out_.start(world_.peers(), x0, y_.all());  // y_i = x0
    std::ranges::copy(x0, last_.begin());
  }

  void step(Tick tick) override {
    t_ = tick % T_;
    if (t_ == 0) begin_epoch();
    const auto work = [this, tick, ys = y_.turn(), Deltas = Delta_.turn()](int i) {
      world_.oracle().prepare(i, tick);  // ξ_i and z_i: their samples come meanwhile
      // Δ_i and y_i, row i of the last iteration's P Δ̂ and P x, are mixed where they are first read
      const auto learn = [&](const auto& numbers, Real* Delta) { return descend(i, numbers, Delta); };
      Real shrink = 1;
      if (paper_form_) {
        const double length = Deltas.row(i, learn);
        if (!std::isfinite(length)) ys.row(i);  // this step fails, and all rows get mixed all the same
        shrink = into_ball(length, i, tick);
      }
      const auto Delta = paper_form_ ? Deltas.of(i) : Deltas.row(i);
      const auto w = this->w();  // Δ̂_i = shrink Δ_i, w_i = y_i + s_i Δ̂_i, x_i = y_i + Δ̂_i
      ys.row(i, [&](const auto& numbers, Real* y) {
        move_on(i, tick, shrink, Delta.data(), numbers, y, w.data());
      });
      ys.show(i);
      if (paper_form_) Deltas.show(i);
      world_.oracle().estimate(i, tick, w, g_.row(i));  // g_i = estimator at w_i
      if (paper_form_) return;
      scale<Real>(Delta, into_ball(learn(NumbersInPlace(), Delta.data()), i, tick));
      Deltas.show(i);
    };
    world_.peers().each_and_ahead(
        work, [&oracle = world_.oracle(), tick](int i) { oracle.prepare_ahead(i, tick + 1); });
    y_.mix();      // y = P x
    Delta_.mix();  // Δ = P Δ̂
    if (t_ == T_ - 1) finish_epoch();
  }

  Tick length() const override { return K_ * T_; }
  const Rows<Real>& iterate() const override { return y_.all(); }
  std::optional<int> caller(Tick) const override { return std::nullopt; }
  bool interpolates() const override { return true; }

  Output<Real> output() override { return out_.output(world_.peers(), t_ + 1, last_); }

  void state(State& state) override {
    state.value("t", t_);
    state.rows("y", y_.all());
    state.rows("Delta", Delta_.all());
    state.rows("g", g_);
    state.numbers<Real>("last", last_);
    out_.state(state);
  }

 private:
  void begin_epoch() {
    out_.begin(world_.peers());
    Rows<Real>& Delta = Delta_.anew();
    world_.peers().each(
        [&](int i) {
          std::ranges::fill(Delta.row(i), Real(0));
          std::ranges::fill(g_.row(i), Real(0));
        },
        world_.d());
  }

  // Δ_i ← Δ_i − η g_i; returns its length
  template <class Numbers>
  double descend(int i, const Numbers& numbers, Real* Delta) {
    const Real *const g = g_.row(i).data(), eta = eta_;
    return std::sqrt(filled_squares(
        Delta, world_.d(), [=](const Real* Delta_i, Index j) { return numbers(Delta_i, j) - eta * g[j]; }));
  }

  // by what Π_D multiplies a step of that length
  Real into_ball(double length, int i, Tick tick) const {
    return static_cast<Real>(clip_factor(length, D_, i, tick));
  }

  // Δ̂_i = shrink Δ_i, w_i = y_i + s_i Δ̂_i, which goes to the output's sum, and x_i = y_i + Δ̂_i in place of
  // y_i
  template <class Numbers>
  void move_on(int i, Tick tick, Real shrink, Real* __restrict Delta, Numbers numbers, Real* __restrict y,
               Real* __restrict w) {
    const auto s = static_cast<Real>(world_.interpolation(i, tick));
    const Index d = world_.d();
    Real* __restrict const sum = out_.sum(i).data();
#pragma GCC ivdep  // no two of them overlap
    for (Index j = 0; j < d; ++j) {
      const Real step = shrink * Delta[j], from = numbers(y, j), between = from + s * step;
      Delta[j] = step;
      w[j] = between;
      sum[j] += between;
      y[j] = from + step;
    }
  }

  // of the client that this thread is at
  std::span<Real> w() const {
    thread_local LargeVector<Real> w;
    w.resize(world_.d());
    return w;
  }

  void finish_epoch() {
    out_.finish(world_.peers(), T_);
    world_.peers().mean(out_.sums(), last_);
    for (Real& number : last_) number /= static_cast<Real>(T_);
  }

  World<Real>& world_;
  const bool paper_form_;
  const Tick K_, T_;
  const Real eta_;
  const double D_;
  std::unique_ptr<Gossip<Real>> gossip_;

  mutable MixedRows<Real> y_;
  MixedRows<Real> Delta_;
  Rows<Real> g_;
  std::vector<Real> last_;  // the last whole epoch's mean over clients and iterations
  EpochOutput<Real> out_;
  alignas(64) Tick t_ = -1;  // within the epoch, from 0; changes while other threads read what is above
};

}  // namespace

MethodKind me_dol_kind() {
  return method_kind<MeDol>(
      "me-dol",
      "multi-epoch decentralised online learning (Sahinoglu and Shahrampour 2024): all clients compute",
      {order_option(),
       text_option(
           "form", "paper",
           "step along the clipped Delta (paper) or along the mixed one (code, as the authors' program)")
           .one_of({"paper", "code"}),
       epochs_option(), epoch_length_option(), step_size_option("step size of the online learner"),
       radius_option()});
}

}  // namespace doc2s
