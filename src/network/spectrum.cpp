#include "doc2s/network/spectrum.hpp"

#include <algorithm>
#include <cmath>

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

Spectrum::Spectrum(const Weights& P, int all_up_to) {
  if (P.clients() <= std::max(all_up_to, 2)) {
    eigenvalues_ = all_eigenvalues(P);
    if (eigenvalues_.empty()) return;
    lambda2_ = eigenvalues_.back();
    lambda_min_ = eigenvalues_.front();
  } else {
    P_ = P;
    const auto ends = end_eigenvalues(P);
    lambda2_ = ends.lambda2;
    lambda_min_ = std::min(ends.lambda_min, ends.lambda2);
  }
}

double Spectrum::phi() const {
  const double root = std::sqrt((1 - lambda2_) * (1 + lambda2_));
  // Rounded to a coarse grid, so that the bits do not depend on the last bits of the eigenvalue solver.
  return std::nearbyint((1 - root) / (1 + root) * 0x1p44) * 0x1p-44;
}

namespace {

// out = q_R(P) x, round by round.
void apply(const Weights& P, Rounds rounds, std::span<const double> x, std::span<double> out) {
  std::vector<double> before(x.begin(), x.end()), now = before, next(x.size());
  for (int r = 0; r < rounds.count; ++r) {
    P.multiply(now, next);
    for (std::size_t i = 0; i < x.size(); ++i) next[i] = (1 + rounds.phi) * next[i] - rounds.phi * before[i];
    before.swap(now);
    now.swap(next);
  }
  std::copy(now.begin(), now.end(), out.begin());
}

void take_mean_off(std::span<double> x) {
  double sum = 0;
  for (const double value : x) sum += value;
  for (double& value : x) value -= sum / static_cast<double>(x.size());
}

// The largest |q_R(λ)| by Lanczos on I + (q_R(P)/scale)², whose eigenvalues are in [1, 2].
std::optional<double> inner_contraction(const Weights& P, Rounds rounds, double scale, double tolerance) {
  const auto scaled = [&](std::span<const double> x, std::span<double> out) {
    apply(P, rounds, x, out);
    take_mean_off(out);
    for (double& value : out) value /= scale;
  };
  std::vector<double> once(P.clients());
  const auto largest = largest_eigenvalue(
      P.clients(),
      [&](std::span<const double> x, std::span<double> out) {
        scaled(x, once);
        scaled(once, out);
        for (std::size_t i = 0; i < x.size(); ++i) out[i] += x[i];
      },
      tolerance, 100);
  return largest ? std::optional(scale * std::sqrt(std::max(*largest - 1, 0.0))) : std::nullopt;
}

}  // namespace

double Spectrum::at_ends(Rounds rounds) const {
  return std::max(std::abs(rounds.factor(lambda2_)), std::abs(rounds.factor(lambda_min_)));
}

double Spectrum::contraction_bound(Rounds rounds) const {
  if (!P_) return contraction(rounds);
  return std::max(at_ends(rounds), peak(rounds, lambda_min_, lambda2_));
}

double Spectrum::contraction(Rounds rounds) const {
  double largest = 0;
  for (const double lambda : eigenvalues_) largest = std::max(largest, std::abs(rounds.factor(lambda)));
  if (!P_) return largest;
  const double least = at_ends(rounds), bound = contraction_bound(rounds);
  if (bound - least <= 1e-12) return least;
  const auto near = inner_contraction(*P_, rounds, bound, 1e-5);
  if (!near) throw MachineError("the contraction of these rounds of gossip did not converge");
  if (bound - *near <= 1e-5) return bound;
  const auto exact = inner_contraction(*P_, rounds, bound, 1e-9);
  return std::clamp(exact ? *exact : *near, least, bound);
}

}  // namespace doc2s
