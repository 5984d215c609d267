// SPDX-License-Identifier: Apache-2.0
#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Dense>
#include <algorithm>
#include <utility>

#include "competitors.hpp"

namespace doc2s::bench {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowVector = Eigen::RowVectorXd;

// z⁽ʳ⁺¹⁾ = (1 + φ) P z⁽ʳ⁾ − φ z⁽ʳ⁻¹⁾, z⁽⁻¹⁾ = z⁽⁰⁾
Matrix fast_gossip(const Job& job, const Matrix& P, Matrix now) {
  Matrix before = now, next(now.rows(), now.cols());
  for (int r = 0; r < job.R; ++r) {
    next.noalias() = P * now;
    next = (1 + job.phi) * next - job.phi * before;
    std::swap(before, now);
    std::swap(now, next);
  }
  return now;
}

// The gradient of max{1 − b aᵀx, 0} + λ Σ_j min{|x_j|, α}
RowVector gradient(const Job& job, Index row, const RowVector& x) {
  RowVector g = (x.array().abs() < job.alpha).select(job.lambda * x.array().sign(), 0.0);
  const Index first = job.samples.offsets[row], end = job.samples.offsets[row + 1];
  const double b = job.samples.labels[row];
  double product = 0;
  for (Index k = first; k < end; ++k) product += job.samples.values[k] * x[job.samples.columns[k]];
  if (1 - b * product > 0)
    for (Index k = first; k < end; ++k) g[job.samples.columns[k]] -= b * job.samples.values[k];
  return g;
}

}  // namespace

std::vector<double> eigen_doc2s(const Job& job) {
  const Matrix P = Eigen::Map<const Matrix>(job.P.data(), job.n, job.n);
  Matrix y = Matrix::Zero(job.n, job.d), Delta = y, w_sum = y, x, w;
  for (Index tick = 0; tick < job.iterations; ++tick) {
    if (tick % job.T == 0) Delta.setZero(), w_sum.setZero();
    const Index i = job.client[tick];
    x = y;
    x.row(i) += job.n * Delta.row(i);
    w = y + Eigen::Map<const Eigen::VectorXd>(&job.s[tick * job.n], job.n).asDiagonal() * Delta;
    w_sum += w;
    y = fast_gossip(job, P, x);
    const RowVector point = w.row(i) + job.mu * Eigen::Map<const RowVector>(&job.z[tick * job.d], job.d);
    const RowVector v = Delta.row(i) - job.eta * gradient(job, job.row[tick], point);
    Delta.setZero();
    Delta.row(i) = job.n * std::min(1.0, job.D / v.norm()) * v;
    Delta = fast_gossip(job, P, Delta);
  }
  return {y.data(), y.data() + y.size()};
}

}  // namespace doc2s::bench
