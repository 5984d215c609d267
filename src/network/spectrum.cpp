// SPDX-License-Identifier: Apache-2.0
#include "doc2s/network/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "doc2s/base/error.hpp"
#include "eigenvalues.hpp"

namespace doc2s {

namespace {

// Coefficients of trajectories are on a coarse grid, so that their bits do not depend on the last bits of the
// eigenvalue solver.
constexpr double grid = 0x1p-44;
double on_grid(double x) { return std::nearbyint(x / grid) * grid; }

}  // namespace

double Rounds::factor(double lambda) const {
  if (phi == 0 && !interval) return std::pow(lambda, count);
  RoundFactors q(*this, lambda);
  double factor = 1;
  for (int r = 0; r < count; ++r) factor = q.next();
  return factor;
}

RoundSteps::RoundSteps(const Rounds& rounds)
    : step_{1 + rounds.phi, rounds.phi}, constant_(!rounds.interval) {
  if (!rounds.interval) return;
  const auto& [low, high] = *rounds.interval;
  m_ = std::max(2 - low - high, grid);
  w_ = high - low;
}

// With u_r = τ_r / (w τ_{r+1}) neither overflows nor divides by w: u_0 = 1/m, u_r = 1 / (2m − w² u_{r−1});
// the first round has c = 2u_0, d = 0, the others c = 4u_r, d = w² u_{r−1} u_r.
RoundStep RoundSteps::next() {
  if (constant_) return step_;
  const bool first = u_ == 0;
  const double before = u_;
  u_ = first ? 1 / m_ : 1 / (2 * m_ - w_ * w_ * before);
  step_ = {(first ? 2 : 4) * u_, w_ * w_ * before * u_};
  return step_;
}

double RoundFactors::next() {
  const auto [c, d] = steps_.next();
  const double next = (1 + d - c + c * lambda_) * now_ - d * before_;
  before_ = now_;
  return now_ = next;
}

namespace {

// φ feeds trajectories. Up to so many clients it comes from a search, whose last bits it has always had;
// beyond, that search takes minutes on a long ring.
constexpr int most_searched_for_phi = 100'000;

}  // namespace

struct Spectrum::Found {
  std::vector<double> eigenvalues{};  // but the mean's, if all are known
  double lambda2 = 0, gamma = 1, lambda_min = 0;

  static Found of_few(const Weights& P) {
    auto all = all_eigenvalues(P);
    if (all.empty()) return {};
    const double lambda2 = all.back(), lambda_min = all.front();
    return {std::move(all), lambda2, 1 - lambda2, lambda_min};
  }
  static Found of_shape(const Shape& shape, double scale) {
    auto gaps = known_gaps(shape);
    const auto [least, most] = std::minmax_element(gaps.begin(), gaps.end());
    const double gamma = scale * *least, lambda_min = 1 - scale * *most;
    for (double& gap : gaps) gap = 1 - scale * gap;
    return {std::move(gaps), 1 - gamma, gamma, lambda_min};
  }
  static Found of_many(const Weights& P) {
    const auto [lambda2, lambda_min] = end_eigenvalues(P);
    return {{}, lambda2, 1 - lambda2, std::min(lambda_min, lambda2)};
  }
};

struct Spectrum::Memory {
  std::once_flag once_found, once_searched;
  Found found, searched;
};

Spectrum::Spectrum(const Weights& P, int all_up_to)
    : P_(P), all_up_to_(std::max(all_up_to, 2)), memory_(std::make_shared<Memory>()) {}

Spectrum::Spectrum(const Weights& P, const Shape& shape) : Spectrum(P) {
  if (!few() && has_known_gaps(shape)) shape_ = shape;
}

Spectrum Spectrum::made_lazy(const Weights& lazy_P) const {
  Spectrum made(lazy_P, shape_);
  made.gaps_scale_ = gaps_scale_ / 2;
  return made;
}

bool Spectrum::needs_search() const { return !few() && shape_.kind == Shape::Kind::none; }

const Spectrum::Found& Spectrum::searched() const {
  std::call_once(memory_->once_searched, [&] { memory_->searched = Found::of_many(P_); });
  return memory_->searched;
}

const Spectrum::Found& Spectrum::found() const {
  if (needs_search()) return searched();
  std::call_once(memory_->once_found,
                 [&] { memory_->found = few() ? Found::of_few(P_) : Found::of_shape(shape_, gaps_scale_); });
  return memory_->found;
}

double Spectrum::lambda2() const { return found().lambda2; }
double Spectrum::lambda_min() const { return found().lambda_min; }
double Spectrum::gamma() const { return found().gamma; }

double Spectrum::phi() const {
  const bool search = !few() && P_.clients() <= most_searched_for_phi;
  const Found& from = search ? searched() : found();
  const double root = std::sqrt(from.gamma * (1 + from.lambda2));
  return on_grid((1 - root) / (1 + root));
}

Rounds::Interval Spectrum::interval() const { return {on_grid(lambda_min()), on_grid(lambda2())}; }

double Spectrum::at_ends(Rounds rounds) const {
  return std::max(std::abs(rounds.factor(lambda2())), std::abs(rounds.factor(lambda_min())));
}

double Spectrum::contraction_bound(Rounds rounds) const {
  if (few()) return contraction(rounds);
  return std::max(at_ends(rounds), peak(rounds, lambda_min(), lambda2()));
}

double Spectrum::contraction(Rounds rounds) const {
  if (!needs_search()) {
    double largest = 0;
    for (const double lambda : found().eigenvalues)
      largest = std::max(largest, std::abs(rounds.factor(lambda)));
    return largest;
  }
  const double least = at_ends(rounds), bound = contraction_bound(rounds);
  if (bound - least <= 1e-12) return least;
  const auto near = inner_contraction(P_, rounds, bound, 1e-5);
  if (!near) throw MachineError("the contraction of these rounds of gossip did not converge");
  if (bound - *near <= 1e-5) return bound;
  const auto exact = inner_contraction(P_, rounds, bound, 1e-9);
  return std::clamp(exact ? *exact : *near, least, bound);
}

}  // namespace doc2s
