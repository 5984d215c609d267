// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "bench.hpp"
#include "trip.hpp"

namespace doc2s::bench {

namespace {

// Both methods as they are written, with plain loops in double, on the program's estimates.
template <class Real>
class Listing {
 public:
  Listing(Trip<Real>& trip, const Settings& method)
      : z(trip.experiment().x0.begin(), trip.experiment().x0.end()),
        trail(z),
        trip_(trip),
        world_(trip.experiment().world),
        Delta_(z.size()),
        eta_(method.real("eta")),
        is_token_(method.text("name") == "token"),
        shape_(method.real(is_token_ ? "beta" : "D")) {}

  void step(Tick tick) { is_token_ ? token(tick) : travel(tick); }

  std::vector<double> z, trail;  // the trail is ŵ of the epoch so far, or z̄

 private:
  void travel(Tick tick) {
    const Tick t = tick % TripSize::T;
    if (t == 0) Delta_.assign(z.size(), 0);
    const double s = world_.interpolation(trip_.client_of(tick), tick);
    std::vector<double> w(z);
    for (std::size_t j = 0; j < z.size(); ++j) w[j] += s * Delta_[j], z[j] += Delta_[j];
    const std::vector<double> g = estimate(tick, w);
    double squares = 0;
    for (std::size_t j = 0; j < z.size(); ++j) Delta_[j] -= eta_ * g[j], squares += Delta_[j] * Delta_[j];
    for (double& number : Delta_) number *= std::min(1.0, shape_ / std::sqrt(squares));
    const auto done = static_cast<double>(t + 1);
    for (std::size_t j = 0; j < z.size(); ++j) trail[j] += (w[j] - trail[j]) / done;
  }

  void token(Tick tick) {
    const std::vector<double> g = estimate(tick, z);
    const double s = world_.random_scale(trip_.client_of(tick), tick);
    for (std::size_t j = 0; j < z.size(); ++j) {
      Delta_[j] = shape_ * Delta_[j] - eta_ * (1 - shape_) * g[j];
      z[j] += s * Delta_[j];
      trail[j] = shape_ * trail[j] + (1 - shape_) * z[j];
    }
  }

  std::vector<double> estimate(Tick tick, const std::vector<double>& w) const {
    const std::vector<Real> at(w.begin(), w.end());
    std::vector<Real> g(w.size());
    world_.estimate(trip_.client_of(tick), tick, at, g);
    return {g.begin(), g.end()};
  }

  const Trip<Real>& trip_;
  const World<Real>& world_;
  std::vector<double> Delta_;
  const double eta_;
  const bool is_token_;
  const double shape_;  // β or D
};

}  // namespace

template <class Real>
void check_listing(Trip<Real>& trip, const TripSize& size, Tick ticks) {
  Algorithm<Real>& method = *trip.experiment().algorithm;
  Listing<Real> listing(trip, trip.experiment().config.method);
  for (Tick tick = 0; tick < ticks; ++tick) trip.step(), listing.step(tick);
  std::vector<Real> z(size.d);
  method.mean_point(z);
  const auto last = method.output().last;
  const double tolerance = sizeof(Real) == 4 ? 1e-5 : 1e-12;
  const auto require = [&](const std::string& what, std::span<const Real> ours, const auto& listed) {
    require_agreement(what + size.method, relative_error({ours.begin(), ours.end()}, listed), tolerance);
  };
  require("the iterate of ", z, listing.z);
  require("the output of ", last, listing.trail);
}

template void check_listing(Trip<float>&, const TripSize&, Tick);
template void check_listing(Trip<double>&, const TripSize&, Tick);

}  // namespace doc2s::bench
