// SPDX-License-Identifier: Apache-2.0
#include "least_norm.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

namespace doc2s {

namespace {

constexpr double rounding = 1e-13;   // relative to ‖p‖²: smaller gains are rounding noise
constexpr double ridge = 1e-14;      // relative to ‖p‖²: regularises nearly dependent vectors
constexpr double no_weight = 1e-15;  // smaller weights count as 0

}  // namespace

double LeastNorm::with_point(Index vector) const {
  double sum = 0;
  for (const Index k : corral_) sum += weights_[k] * product(vector, k);
  return sum;
}

double LeastNorm::squared_norm() const {
  double sum = 0;
  for (const Index k : corral_) sum += weights_[k] * with_point(k);
  return sum;
}

double LeastNorm::largest() const {
  double most = 0;
  for (const auto& products : gram_) most = std::max(most, products.back());
  return most;
}

void LeastNorm::add(std::span<const double> products) {
  gram_.emplace_back(products.begin(), products.end());
  weights_.push_back(0);
  if (count() == 1) {
    weights_[0] = 1;
    corral_ = {0};
  }
  solve();
}

void LeastNorm::remove(Index vector) {
  gram_.erase(gram_.begin() + vector);
  for (Index row = vector; row < std::ssize(gram_); ++row) gram_[row].erase(gram_[row].begin() + vector);
  weights_.erase(weights_.begin() + vector);
  std::fill(weights_.begin(), weights_.end(), 0.0);
  weights_[0] = 1;  // x must be the least-norm point of its corral's affine hull, which this one is
  corral_ = {0};
  solve();
}

// Wolfe's major cycles: the vector p with the least ⟨p, x⟩ joins the corral. If ⟨p, x⟩ ≥ ‖x‖² for all p, x is
// the answer.
void LeastNorm::solve() {
  const double noise = rounding * largest();
  double reached = squared_norm();
  for (Index cycle = 0; cycle < 100 + 10 * count(); ++cycle) {
    Index best = 0;
    double least = with_point(0);
    for (Index k = 1; k < count(); ++k)
      if (const double product = with_point(k); product < least) best = k, least = product;
    if (least > reached - noise) return;
    if (std::find(corral_.begin(), corral_.end(), best) != corral_.end()) return;
    const auto weights = weights_;
    const auto corral = corral_;
    corral_.push_back(best);
    minor_cycles();
    const double now = squared_norm();
    if (corral_.empty() || !(now < reached)) {  // only noise left
      weights_ = weights;
      corral_ = corral;
      return;
    }
    reached = now;
  }
}

// Moves towards the least-norm point of the affine hull and drops vectors whose weight would become negative,
// until none would.
void LeastNorm::minor_cycles() {
  while (true) {
    const std::vector<double> target = affine_weights();
    double step = 1;  // the largest that keeps all weights ≥ 0
    std::size_t blocking = corral_.size();
    for (std::size_t k = 0; k < corral_.size(); ++k) {
      const double from = weights_[corral_[k]], to = target[k];
      if (to > no_weight) continue;
      const double most = from > to ? std::clamp(from / (from - to), 0.0, 1.0) : 0;
      if (most <= step) step = most, blocking = k;
    }
    for (std::size_t k = 0; k < corral_.size() && step > 0; ++k)
      weights_[corral_[k]] += step * (target[k] - weights_[corral_[k]]);
    if (blocking == corral_.size()) return;
    weights_[corral_[blocking]] = 0;
    std::erase_if(corral_, [&](Index k) {
      if (weights_[k] > no_weight) return false;
      weights_[k] = 0;
      return true;
    });
    if (corral_.empty()) return;
    double sum = 0;
    for (const Index k : corral_) sum += weights_[k];
    for (const Index k : corral_) weights_[k] /= sum;
  }
}

// Wolfe's equations (11ᵀ + G) u = 1, v = u / Σu, with G scaled by its largest entry.
std::vector<double> LeastNorm::affine_weights() const {
  const auto size = static_cast<Eigen::Index>(corral_.size());
  const double scale = largest();
  Eigen::MatrixXd matrix(size, size);
  for (Eigen::Index a = 0; a < size; ++a)
    for (Eigen::Index b = 0; b < size; ++b)
      matrix(a, b) = 1 + (scale > 0 ? product(corral_[a], corral_[b]) / scale : 0) + (a == b ? ridge : 0);
  const Eigen::VectorXd u = matrix.ldlt().solve(Eigen::VectorXd::Ones(size));
  const double sum = u.sum();
  std::vector<double> weights(corral_.size());
  for (Eigen::Index k = 0; k < size; ++k) weights[k] = u(k) / sum;
  return weights;
}

}  // namespace doc2s
