#include "directions.hpp"
#include "doc2s/oracles/oracle.hpp"

namespace doc2s {

namespace {

template <class Real>
class ZerothOrder : public Oracle<Real> {
 public:
  using Oracle<Real>::Oracle;

 private:
  void draw_direction(int client, Tick tick, std::uint16_t draw, Direction<Real>& z) const override {
    unit_sphere(Random(this->setting_.seed, Purpose::direction, client, tick, draw), z,
                this->setting_.threads);
  }

  double compute(int client, std::span<const Index> batch, std::span<const Real> w, const Direction<Real>& z,
                 std::span<Real> g) const override {
    const double mu = this->setting_.mu;
    const auto value_at = [&](double step) {  // F_i(w + step·z; ξ)
      return this->problem_.value(client, batch, z.point_from(w, step), {});
    };
    const double plus = value_at(mu), minus = value_at(-mu);
    // g = (d/2μ)(F_i(w + μz; ξ) − F_i(w − μz; ξ)) z
    const auto factor = static_cast<Real>(static_cast<double>(w.size()) / (2 * mu) * (plus - minus));
    z.times(factor, g);
    return plus + minus;
  }

  int evaluations_per_sample() const override { return 2; }
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
