// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "directions.hpp"
#include "doc2s/oracles/oracle.hpp"

namespace doc2s {

namespace {

template <class Real>
class ZerothOrder : public Oracle<Real> {
 public:
  using Oracle<Real>::Oracle;

 private:
  // k stands beside the client in a word of the key: k < 2¹², and there are fewer than 2²⁰ clients.
  void draw_direction(int client, Tick tick, std::uint16_t draw, int k, Direction<Real>& z) const override {
    const std::uint32_t place = static_cast<std::uint32_t>(k) << 20 | static_cast<std::uint32_t>(client);
    unit_sphere(Random(this->setting_.seed, Purpose::direction, place, tick, draw), z,
                this->setting_.threads);
  }

  // g = (d/2μm) Σ_k (F_i(w + μz_k; ξ) − F_i(w − μz_k; ξ)) z_k
  using typename Oracle<Real>::Computed;
  Computed compute(int client, std::span<const Index> batch, std::span<const Real> w,
                   std::span<const Direction<Real>> z, std::span<Real> g) const override {
    const double mu = this->setting_.mu;
    const double share = static_cast<double>(w.size()) / (2 * mu) / static_cast<double>(z.size());
    double sum = 0, differences = 0, sizes = 0;
    for (std::size_t k = 0; k < z.size(); ++k) {
      const auto value_at = [&](double step) {  // F_i(w + step·z_k; ξ)
        return this->problem_.value(client, batch, z[k].point_from(w, step), {});
      };
      const double plus = value_at(mu), minus = value_at(-mu);
      const auto factor = static_cast<Real>(share * (plus - minus));
      if (k == 0)
        z[k].times(factor, g);
      else
        z[k].add_times(factor, g);
      sum += plus + minus;
      differences += std::abs(plus - minus);
      sizes += std::abs(plus) + std::abs(minus);
    }
    return {sum, differences < std::numeric_limits<Real>::epsilon() * sizes};
  }

  int evaluations_per_sample() const override { return 2 * this->setting_.directions; }
};

}  // namespace

template <class Real>
std::unique_ptr<Oracle<Real>> make_zeroth_order(const Problem<Real>& problem,
                                                typename Oracle<Real>::Setting setting) {
  return std::make_unique<ZerothOrder<Real>>(problem, setting);
}

template std::unique_ptr<Oracle<float>> make_zeroth_order(const Problem<float>&, Oracle<float>::Setting);
template std::unique_ptr<Oracle<double>> make_zeroth_order(const Problem<double>&, Oracle<double>::Setting);

}  // namespace doc2s
