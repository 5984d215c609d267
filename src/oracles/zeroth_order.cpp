#include "directions.hpp"
#include "doc2s/oracles/oracle.hpp"

namespace doc2s {

namespace {

template <class Real>
class ZerothOrder : public Oracle<Real> {
 public:
  using Oracle<Real>::Oracle;

 private:
  void draw_direction(int client, Tick tick, std::uint16_t draw, std::span<Real> z) const override {
    unit_sphere(Random(this->setting_.seed, Purpose::direction, client, tick, draw), z,
                this->setting_.threads);
  }

  double compute(int client, std::span<const Index> batch, std::span<const Real> w, std::span<const Real> z,
                 std::span<Real> g) const override {
    const double mu = this->setting_.mu;
    const double plus = value_at(client, batch, w, static_cast<Real>(mu), z);
    const double minus = value_at(client, batch, w, static_cast<Real>(-mu), z);
    // g = (d/2μ)(F_i(w + μz; ξ) − F_i(w − μz; ξ)) z
    const auto factor = static_cast<Real>(static_cast<double>(w.size()) / (2 * mu) * (plus - minus));
    for (std::size_t j = 0; j < w.size(); ++j) g[j] = factor * z[j];
    return plus + minus;
  }

  // F_i(w + step·z; ξ)
  double value_at(int client, std::span<const Index> batch, std::span<const Real> w, Real step,
                  std::span<const Real> z) const {
    thread_local LargeVector<Real> point;
    point.resize(w.size());
    for (std::size_t j = 0; j < w.size(); ++j) point[j] = w[j] + step * z[j];
    return this->problem_.value(client, batch, point, {});
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
