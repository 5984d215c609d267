// SPDX-License-Identifier: Apache-2.0
#include "directions.hpp"
#include "doc2s/oracles/oracle.hpp"

namespace doc2s {

namespace {

template <class Real>
class FirstOrder : public Oracle<Real> {
 public:
  using Oracle<Real>::Oracle;

 private:
  void draw_direction(int client, Tick tick, std::uint16_t draw, int /*k*/,
                      Direction<Real>& z) const override {
    unit_ball(Random(this->setting_.seed, Purpose::direction, client, tick, draw), z, this->setting_.threads);
  }

  using typename Oracle<Real>::Computed;
  Computed compute(int client, std::span<const Index> batch, std::span<const Real> w,
                   std::span<const Direction<Real>> z, std::span<Real> g) const override {
    const auto point = z.front().point_from(w, this->setting_.mu);
    return {this->problem_.value(client, batch, point, g)};  // g = ∇F_i(w + μz; ξ)
  }

  int evaluations_per_sample() const override { return 1; }
};

}  // namespace

template <class Real>
std::unique_ptr<Oracle<Real>> make_first_order(const Problem<Real>& problem,
                                               typename Oracle<Real>::Setting setting) {
  return std::make_unique<FirstOrder<Real>>(problem, setting);
}

template std::unique_ptr<Oracle<float>> make_first_order(const Problem<float>&, Oracle<float>::Setting);
template std::unique_ptr<Oracle<double>> make_first_order(const Problem<double>&, Oracle<double>::Setting);

}  // namespace doc2s
