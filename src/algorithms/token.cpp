// SPDX-License-Identifier: Apache-2.0
#include "fused_steps.hpp"
#include "travel_method.hpp"

namespace doc2s {

namespace {

// Momentum with random scaling (Zhang and Cutkosky, ICML 2024) carried from client to client. Not from the
// paper, and without a guarantee here.
template <class Real>
class Token : public TravelMethod<Real> {
  using Base = TravelMethod<Real>;
  using Base::world_, Base::T_, Base::travellers_;
  using typename Base::Vector;

 public:
  Token(World<Real>& world, const Settings& method)
      : Base(world, method),
        eta_(static_cast<Real>(method.real("eta"))),
        share_(static_cast<Real>(1 - method.real("beta"))) {}

  // clang-format off
  void step(Tick tick) override {
    this->each(tick, [&](Traveller<Real>& k) {
      const auto z = k[Vector::z], Delta = k[Vector::Delta], g = world_.scratch();
      world_.estimate(k.client, tick, z, g, k.draw);             // g = estimator(F_i, z, δ')
      const double s = drawn_s(k.client, tick, k.draw);          // s ~ Exp(1)
      step_with_momentum<Real>(share_, eta_, g, s, Delta, z);    // Δ ← βΔ − η(1−β)g,  z ← z + sΔ
      add_to_mean<Real>(share_, z, k[Vector::trail]);            // z̄ ← βz̄ + (1−β)z
    });
    this->move(tick);                                            // where (tick + 1) mod stay = 0
    if (tick % T_ != T_ - 1) return;
    this->average({Vector::z, Vector::Delta});                   // z_k ← (1/c) Σ z_k,  Δ_k ← (1/c) Σ Δ_k
    this->finish_epoch(tick / T_ + 1);
  }
  // clang-format on

 private:
  // The mean of the z̄_k, which is z̄ of the mean of the z_k.
  void epoch_output(std::span<Real> out) const override { travellers_->mean(Vector::trail, out); }
  bool last_is_now() const override { return true; }
  double drawn_s(int client, Tick tick, int draw) const override {
    return world_.random_scale(client, tick, draw);
  }

  const Real eta_, share_;  // share_ = 1 − β
};

}  // namespace

MethodKind token_kind() {
  std::vector<Option> options = {order_option(), epochs_option(), epoch_length_option()};
  for (Option& option : travel_options("tour")) options.push_back(std::move(option));
  options.push_back(text_option("step", "fixed", "only doc2s-travel has an adaptive step").one_of({"fixed"}));
  options.push_back(step_size_option("step size").tuned(1e-4, 10));
  options.push_back(real_option("beta", 0.97, "share of the old direction in a new one")
                        .at_least(0)
                        .below(1)
                        .tuned_to_one(0.5, 0.997));
  MethodKind kind = method_kind<Token>(
      {.name = "token",
       .title = "token",
       .summary =
           "momentum with random scaling (Zhang and Cutkosky 2024) that travels around a tour; not from the "
           "paper",
       .guarantee = "none here",
       .spends = "an estimate a traveller and, every stay iterations, the hops to its next client: 1 on most "
                 "tours"},
      std::move(options));
  kind.holds_rows = false;
  return kind;
}

}  // namespace doc2s
