// SPDX-License-Identifier: Apache-2.0
#include "doc2s/network/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "doc2s/base/error.hpp"
#include "eigenvalues.hpp"

namespace doc2s {

double Rounds::factor(double lambda) const {
  if (phi == 0) return std::pow(lambda, count);
  double before = 1, now = 1;
  for (int r = 0; r < count; ++r) {
    const double next = (1 + phi) * lambda * now - phi * before;
    before = now;
    now = next;
  }
  return now;
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
  // Rounded to a coarse grid, so that the bits do not depend on the last bits of the eigenvalue solver.
  return std::nearbyint((1 - root) / (1 + root) * 0x1p44) * 0x1p-44;
}

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
