#include <algorithm>
#include <numeric>

#include "base/vectors.hpp"
#include "epoch_output.hpp"
#include "method_parts.hpp"
#include "methods.hpp"
#include "rounds.hpp"

namespace doc2s {

namespace {

// Algorithm 1, decentralised online-to-nonconvex conversion with client sampling. Δ has one non-zero row
// before its gossip, so afterwards Δ_i = c_i v: it is kept as (c, v) and never as n rows.
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
        gossip_(world.peers().gossip(method.text("gossip"), static_cast<int>(method.integer("R")),
                                     method.where("R"))),
        y_(world.peers().here(), world.d()),
        Delta_(n_, world.d()),
        sc_(n_),
        w_(world.d()),
        g_(world.d()),
        mean_sum_(world.peers().here(), world.d()),
        last_(world.d()),
        out_(world.seed(), world.peers().here(), world.d()) {}

  void start(std::span<const Real> x0) override {
    out_.start(world_.peers(), x0, y_);  // y_i = x0
    std::ranges::copy(x0, last_.begin());
  }

  void step(Tick tick) override {
    t_ = tick % T_;
    if (t_ == 0) begin_epoch();
    const int it = world_.sampled_client(tick);              // i^t ~ Unif{1..n}
    draw_s(tick);                                            // s_i ~ Unif[0, 1]
    const auto add_w = [&](int i, Index first, Index end) {  // w_i = y_i + s_i Δ_i, to the output's sum
      if (i != it && out_.wants(i)) add_interpolated(i, first, end);
    };
    if (world_.owns(it)) world_.oracle().prepare_together(it, tick);
    if (world_.owns(it)) leap(it);  // w_i = y_i + s_i Δ_i, x_i = y_i + n Δ_i for i = i^t; else x_i = y_i
    gossip_->mix(y_, add_w, [&] {   // y = FastGossip(x, P, R), and at the same time
      if (world_.owns(from_)) add_to_mean(it);
      if (!world_.owns(it)) return;
      world_.oracle().estimate(it, tick, w_, g_);  // g = estimator(F_{i^t}, w_{i^t}, δ')
      descend(it, tick);  // Δ_i = n min{1, D/‖Δ_i − ηg‖}(Δ_i − ηg) for i = i^t, else 0
    });
    if (world_.owns(it)) std::swap(Delta_.v, g_);  // where descend() left it
    gossip_->spread(it, Delta_);                   // Δ = FastGossip(Δ, P, R)
    from_ = it;
    if (t_ == T_ - 1) finish_epoch();
  }

  Tick length() const override { return K_ * T_; }
  const Rows<Real>& iterate() const override { return y_; }
  std::optional<int> caller(Tick tick) const override { return world_.sampled_client(tick); }
  bool interpolates() const override { return true; }

  Output<Real> output() override { return out_.output(world_.peers(), t_ + 1, last_); }

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
  // w_i = y_i + s_i Δ_i, for the oracle and to the output's sum, and x_i = y_i + n Δ_i, which takes the place
  // of y_i. Where c_i is 0, v may be another process's and is not looked at.
  void leap(int i) {
    world_.peers().each_run(world_.d(), [&](Index first, Index end) {
      if (out_.wants(i)) add_interpolated(i, first, end);
      const Real *const v = Delta_.v.data(), s_c = sc_[i], n_c = n_ * Delta_.c[i];
      Real *const y = y_.row(i).data(), *const w = w_.data();
      if (Delta_.c[i] == 0)
        std::copy(y + first, y + end, w + first);
      else
        for (Index j = first; j < end; ++j) {
          w[j] = y[j] + s_c * v[j];
          y[j] += n_c * v[j];
        }
    });
  }

  // sum += y_i + s_i Δ_i in columns first ≤ j < end
  void add_interpolated(int i, Index first, Index end) {
    const Real *const y = y_.row(i).data(), *const v = Delta_.v.data(), s_c = sc_[i];
    Real* const sum = out_.sum(i).data();
    if (s_c == 0)
      for (Index j = first; j < end; ++j) sum[j] += y[j];
    else
      for (Index j = first; j < end; ++j) sum[j] = sum[j] + y[j] + s_c * v[j];
  }

  void begin_epoch() {
    Delta_.clear();  // Δ_i = 0; y carries over
    out_.begin(world_.peers());
    const auto T_times = [&](Real y) { return static_cast<Real>(T_) * y; };
    world_.peers().each([&](int i) { std::ranges::transform(y_.row(i), mean_sum_.row(i).begin(), T_times); },
                        world_.d());
  }

  void draw_s(Tick tick) {
    for (int i = 0; i < n_; ++i)
      sc_[i] = Delta_.c[i] == 0 ? Real(0) : static_cast<Real>(world_.interpolation(i, tick)) * Delta_.c[i];
  }

  // The sum of the mean over all clients,
  //   Σ_t w̄^t = T ȳ⁰ + Σ_t (m_t + (T − t) c_{i^t}) v^t,  m_t = (1/n) Σ_i s_i c_i,  t = 1..T,
  // for gossip keeps the mean, and so ȳ^t = ȳ^{t−1} + c_{i^t} v^t. The client that made v^t adds it to its
  // share.
  void add_to_mean(int it) {
    const Real sum_sc = std::accumulate(sc_.begin(), sc_.end(), Real(0));
    const Real factor = sum_sc + static_cast<Real>(n_) * static_cast<Real>(T_ - 1 - t_) * Delta_.c[it];
    if (factor != 0) add_scaled<Real>(mean_sum_.row(from_), factor, Delta_.v);
  }

  // g ← n min{1, D/‖Δ_i − ηg‖}(Δ_i − ηg), the next v; this one is still needed where others mix
  void descend(int i, Tick tick) {
    const Real c = Delta_.c[i], eta = eta_, *const v = Delta_.v.data();
    const auto fill = [&](auto step) { return std::sqrt(filled_squares(g_.data(), world_.d(), step)); };
    const double length = c == 0 ? fill([=](const Real* g, Index j) { return 0 - eta * g[j]; })
                                 : fill([=](const Real* g, Index j) { return c * v[j] - eta * g[j]; });
    scale<Real>(g_, static_cast<Real>(n_ * clip_factor(length, D_, i, tick)));
  }

  void finish_epoch() {
    out_.finish(world_.peers(), T_);
    world_.peers().mean(mean_sum_, last_);
    for (Real& number : last_) number /= static_cast<Real>(T_);
  }

  World<Real>& world_;
  const int n_;
  const Tick K_, T_;
  const Real eta_;
  const double D_;
  std::unique_ptr<Gossip<Real>> gossip_;

  Rows<Real> y_;
  OneRow<Real> Delta_;
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
      "doc2s", "decentralised online-to-nonconvex conversion with client sampling (Algorithm 1 of the paper)",
      {order_option(), epochs_option(), epoch_length_option(),
       integer_option("R", 2, "rounds of gossip for y, and as many for Delta, in each iteration")
           .at_least(1)
           .at_most(1e6),
       text_option("gossip", "chebyshev", "how rounds of gossip are combined").one_of({"chebyshev", "plain"}),
       step_size_option("step size of the online learner"), radius_option()},
      theory_options());
}

}  // namespace doc2s
