// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "base/vectors.hpp"
#include "epoch_output.hpp"
#include "fused_steps.hpp"
#include "gossip/gossip.hpp"
#include "method_parts.hpp"
#include "rounds.hpp"

namespace doc2s {

namespace {

// Algorithm 1, decentralised online-to-nonconvex conversion with client sampling. Δ has one non-zero row
// before its gossip, so afterwards Δ_i = c_i v: it is kept as (c, v) and never as n rows. x_i takes the place
// of y_i.
template <class Real>
class Doc2s : public Algorithm<Real> {
 public:
  Doc2s(World<Real>& world, const Settings& method)
      : world_(world),
        n_(world.n()),
        K_(method.integer("K")),
        T_(method.integer("T")),
        eta_(static_cast<Real>(method.real("eta"))),
        D_(method.real("D")),
        gossip_(world.gossip(method.text("gossip"), method.integer("R"), method.where("R"))),
        y_(world.rows()),
        Delta_(n_, world.d()),
        sc_(n_),
        w_(world.d()),
        g_(world.d()),
        mean_sum_(world.rows()),
        last_(world.d()),
        out_(world) {}

  void start(std::span<const Real> x0) override {
    out_.start(x0, y_);  // 2: y_i = x0
    std::ranges::copy(x0, last_.begin());
  }

  // clang-format off
  void step(Tick tick) override {
    t_ = tick % T_;
    if (t_ == 0) begin_epoch();                             //  5: Δ_i = 0; y_i carries over
    const int it = world_.sample_client(tick);              //  8: i^t ~ Unif{1..n}
    draw_interpolations(tick);                              // 11: s_i ~ Unif[0, 1]
    world_.at(it, [&] { leap(it); });                       // 10, 11: x_i = y_i + n Δ_i, w_i = y_i + s_i Δ_i, i = i^t
    gossip_->mix(y_, {                                      // 13: y = FastGossip(x, P, R)
      .along = [&](int i, Index first, Index end) {
        if (i != it) add_w(i, first, end);                  // 11: w_i = y_i + s_i Δ_i, i ≠ i^t, for the output
      },
      .beside = [&] {
        world_.at(from_, [&] { add_to_mean(it); });         // not in the paper: for last.npy
        world_.at(it, [&] {
          world_.estimate(it, tick, w_, g_);                // 14: g = estimator(F_{i^t}, w_{i^t}, δ')
          clip(it, tick);                                   // 16: Δ_i = n min{1, D/‖Δ_i − ηg‖}(Δ_i − ηg), in place of g
        });
      }});
    gossip_->spread(it, g_, Delta_);                        // 18: Δ = FastGossip(Δ, P, R)
    from_ = it;
    if (t_ == T_ - 1) finish_epoch();                       // 21: ŵ_i = (1/T) Σ_t w_i
  }
  // clang-format on

  Tick length() const override { return K_ * T_; }
  const Rows<Real>& iterate() override { return y_; }
  void mean_point(std::span<Real> out) const override { world_.mean(y_, out); }
  int callers() const override { return 1; }
  std::optional<int> caller(Tick tick) const override { return world_.client_at(tick); }
  bool interpolates() const override { return true; }
  Output<Real> output() override { return out_.output(t_ + 1, last_); }

  // One row of x is not y's: it takes its place for as long as look takes.
  bool show_before_gossip(Tick tick, const std::function<void(const Rows<Real>& x)>& look) override {
    const int it = world_.client_at(tick);
    const bool moves = tick % T_ != 0 && Delta_.c[it] != 0;  // an epoch begins with Δ = 0
    LargeVector<Real> y;
    world_.at(it, [&] {
      if (!moves) return;
      y.assign(y_.row(it).begin(), y_.row(it).end());
      add_scaled<Real>(y_.row(it), n_ * Delta_.c[it], Delta_.v);  // x_i = y_i + n Δ_i
    });
    look(y_);
    if (!y.empty()) std::ranges::copy(y, y_.row(it).begin());
    return true;
  }

  void state(State& state) override {
    state.value("t", t_);
    state.rows("y", y_);
    state.value("from", from_);
    state.numbers<Real>("c", Delta_.c);
    state.numbers<Real>("v", Delta_.v, from_);
    state.rows("mean_sum", mean_sum_);
    state.numbers<Real>("last", last_);
    out_.state(state);
  }

 private:
  void begin_epoch() {
    Delta_.clear();
    out_.begin();
    const auto T_times = [&](Real y) { return static_cast<Real>(T_) * y; };
    world_.each([&](int i) { std::ranges::transform(y_.row(i), mean_sum_.row(i).begin(), T_times); },
                world_.d());
  }

  void draw_interpolations(Tick tick) {
    for (int i = 0; i < n_; ++i)
      sc_[i] = Delta_.c[i] == 0 ? Real(0) : static_cast<Real>(world_.interpolation(i, tick)) * Delta_.c[i];
  }

  void leap(int i) {
    world_.each_range([&](Index first, Index end) {
      add_w(i, first, end);
      const auto part = [&](auto&& numbers) { return std::span(numbers).subspan(first, end - first); };
      leap_along<Real>(part(Delta_.v), sc_[i], n_ * Delta_.c[i], part(y_.row(i)), part(w_));
    });
  }

  // w_i to the output's sum, in columns first ≤ j < end
  void add_w(int i, Index first, Index end) {
    const auto part = [&](auto&& numbers) { return std::span(numbers).subspan(first, end - first); };
    if (out_.wants(i)) add_interpolated<Real>(part(out_.sum(i)), part(y_.row(i)), sc_[i], part(Delta_.v));
  }

  // The sum of the mean over all clients,
  //   Σ_t w̄^t = T ȳ⁰ + Σ_t (m_t + (T − t) c_{i^t}) v^t,  m_t = (1/n) Σ_i s_i c_i,  t = 1..T,
  // as gossip keeps the mean and so ȳ^t = ȳ^{t−1} + c_{i^t} v^t. The client that made v^t adds it to its
  // share.
  void add_to_mean(int it) {
    const Real sum_sc = std::accumulate(sc_.begin(), sc_.end(), Real(0));
    const Real factor = sum_sc + static_cast<Real>(n_) * static_cast<Real>(T_ - 1 - t_) * Delta_.c[it];
    if (factor != 0) add_scaled<Real>(mean_sum_.row(from_), factor, Delta_.v);
  }

  void clip(int i, Tick tick) {
    const double length = descend_from<Real>(Delta_.c[i], Delta_.v, eta_, g_);
    scale<Real>(g_, static_cast<Real>(n_ * clip_factor(world_, length, D_, i, tick)));
  }

  void finish_epoch() {
    out_.finish(T_);
    world_.mean(mean_sum_, last_);
    for (Real& number : last_) number /= static_cast<Real>(T_);
  }

  World<Real>& world_;
  const int n_;
  const Tick K_, T_;
  const Real eta_;
  const double D_;
  std::unique_ptr<Gossip<Real>> gossip_;
  Rows<Real> y_;
  RankOneRows<Real> Delta_;
  std::vector<Real> sc_;     // s_i c_i, so that s_i Δ_i = sc_i v
  int from_ = 0;             // the client that made v
  LargeVector<Real> w_, g_;  // of client i^t
  Rows<Real> mean_sum_;      // their mean is Σ_t w̄^t of this epoch
  LargeVector<Real> last_;   // the last whole epoch's mean over clients and iterations
  EpochOutput<Real> out_;
  Tick t_ = -1;  // within the epoch, from 0
};

}  // namespace

MethodKind doc2s_kind() {
  return method_kind<Doc2s>(
      {.name = "doc2s",
       .title = "DOC²S",
       .summary =
           "decentralised online-to-nonconvex conversion with client sampling (Algorithm 1 of the paper)",
       .guarantee = "the paper's: every client's output is Goldstein stationary in expectation",
       .spends = "1 estimate and 2R rounds of gossip over all edges"},
      {order_option(), epochs_option(), learner_length_option(),
       integer_option("R", 2, "rounds of gossip for y, and as many for Delta, in each iteration")
           .at_least(1)
           .at_most(1e6)
           .tuned(1, 64),
       text_option("gossip", "chebyshev",
                   "how rounds of gossip are combined: as the listing does (chebyshev), by Chebyshev's "
                   "polynomial on [lambda_min, lambda2], which leaves the least there and takes any R "
                   "(chebyshev-interval), or not (plain)")
           .one_of(gossip_kinds()),
       step_size_option("step size of the online learner"), radius_option()},
      theory_options());
}

}  // namespace doc2s
