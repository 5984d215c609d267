// SPDX-License-Identifier: Apache-2.0
#include "fused_steps.hpp"
#include "rounds.hpp"
#include "travel_method.hpp"

namespace doc2s {

namespace {

// DOC²S whose state travels to the sampled client instead of being gossiped. With c = 1, stay = 1 and uniform
// routes it is the centralised online-to-nonconvex conversion: the theorem's K, T, D and η hold, without R
// and without consensus error.
template <class Real>
class Doc2sTravel : public TravelMethod<Real> {
  using Base = TravelMethod<Real>;
  using Base::world_, Base::T_, Base::travellers_;
  using typename Base::Vector;

 public:
  Doc2sTravel(World<Real>& world, const Settings& method)
      : Base(world, method),
        eta_(method.real("eta")),
        D_(method.real("D")),
        adaptive_(method.text("step") == "adaptive") {}

  // clang-format off
  void step(Tick tick) override {
    const Tick t = tick % T_;
    if (t == 0) begin_epoch();                                                // Δ_k = 0
    this->each(tick, [&](Traveller<Real>& k) {
      const auto z = k[Vector::z], Delta = k[Vector::Delta], w = world_.scratch(0), g = world_.scratch(1);
      const double s = drawn_s(k.client, tick, k.draw);                       // s ~ Unif[0, 1]
      step_along<Real>(Delta, s, z, w, k[Vector::trail]);                     // w = z + sΔ,  z ← z + Δ
      world_.estimate(k.client, tick, w, g, k.draw);                          // g = estimator(F_i, w, δ')
      const double length = descend<Real>(Delta, step_size(k, g, tick), g);   // Δ ← Π_D(Δ − ηg)
      scale<Real>(Delta, static_cast<Real>(clip_factor(world_, length, D_, k.client, tick)));
    });
    this->move(tick);                                                         // where (tick + 1) mod stay = 0
    if (t == T_ - 1) this->average({Vector::z});                              // z_k ← (1/c) Σ z_k
    if (t == T_ - 1) this->finish_epoch(tick / T_ + 1);                       // ŵ = (1/cT) Σ w
  }
  // clang-format on

 private:
  void begin_epoch() {
    travellers_->each([](Traveller<Real>& k) {
      for (const Vector which : {Vector::Delta, Vector::trail}) std::ranges::fill(k[which], Real(0));
    });
  }

  // η, or eta·D/√(T·m), m the mean of ‖g‖² over all estimates of this traveller so far; m = 0: no step
  Real step_size(Traveller<Real>& k, std::span<const Real> g, Tick tick) const {
    if (!adaptive_) return static_cast<Real>(eta_);
    k.add_square(dot<Real>(g, g));
    const double m = k.squares() / static_cast<double>(tick + 1);
    return static_cast<Real>(m == 0 ? 0 : eta_ * D_ / std::sqrt(static_cast<double>(T_) * m));
  }

  void epoch_output(std::span<Real> out) const override {
    travellers_->mean(Vector::trail, out);
    for (Real& number : out) number /= static_cast<Real>(this->done_);
  }

  double drawn_s(int client, Tick tick, int draw) const override {
    return world_.interpolation(client, tick, draw);
  }

  const double eta_, D_;
  const bool adaptive_;
};

std::optional<Value> adaptive_eta(const Config& config) {
  if (config.method.text("step") != "adaptive") return {};
  return 2.0;
}

}  // namespace

MethodKind doc2s_travel_kind() {
  std::vector<Option> options = {order_option(), epochs_option(), learner_length_option()};
  for (Option& option : travel_options("uniform")) options.push_back(std::move(option));
  options.push_back(
      text_option(
          "step", "fixed",
          "eta as it is (fixed), or eta D/√(T m), m the mean of ‖g‖² so far (adaptive): the theorem's "
          "step with G measured")
          .one_of({"fixed", "adaptive"}));
  options.push_back(step_size_option("step size of the online learner; 2 unless given where step is adaptive")
                        .derived_by(adaptive_eta));
  options.push_back(radius_option());
  MethodKind kind = method_kind<Doc2sTravel>(
      {.name = "doc2s-travel",
       .title = "DOC²S-travel",
       .summary =
           "DOC²S whose state travels to the sampled client instead of being gossiped; not from the paper",
       .guarantee = "the paper's theorem where route = \"uniform\", travellers = 1 and stay = 1; else none",
       .spends = "an estimate a traveller and, every stay iterations, the hops to its next client"},
      std::move(options), theory_options_without_rounds());
  kind.holds_rows = false;
  return kind;
}

}  // namespace doc2s
