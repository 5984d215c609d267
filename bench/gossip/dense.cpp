// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Dense>
#include <algorithm>

#include "competitors.hpp"

namespace doc2s::bench {

namespace {

Eigen::MatrixXd dense(const Network& network) {
  Eigen::MatrixXd P = Eigen::MatrixXd::Zero(network.clients(), network.clients());
  for (int i = 0; i < network.clients(); ++i)
    for (const auto& [j, weight] : network.P.row(i)) P(i, j) = weight;
  return P;
}

// z⁽ʳ⁺¹⁾ = (1 + φ) P z⁽ʳ⁾ − φ z⁽ʳ⁻¹⁾, z⁽⁻¹⁾ = z⁽⁰⁾
Eigen::MatrixXd fast_gossip(const Eigen::MatrixXd& P, Rounds rounds, Eigen::MatrixXd now) {
  Eigen::MatrixXd before = now;
  for (int r = 0; r < rounds.count; ++r) {
    Eigen::MatrixXd next = (1 + rounds.phi) * (P * now) - rounds.phi * before;
    before = std::exchange(now, std::move(next));
  }
  return now;
}

template <class Real>
Eigen::MatrixXd columns_of(const Rows<Real>& rows, Index step) {
  const int n = rows.clients().count;
  Eigen::MatrixXd some(n, (rows.dimension() + step - 1) / step);
  for (int i = 0; i < n; ++i)
    for (Index k = 0; k < some.cols(); ++k) some(i, k) = rows.row(i)[static_cast<std::size_t>(k * step)];
  return some;
}

}  // namespace

template <class Real>
double error_against_dense(const Network& network, int R, const Rows<Real>& z, const Rows<Real>& mixed) {
  const double most_work = 1e8;  // multiplications per round
  const double n = network.clients(), all = n * n * static_cast<double>(z.dimension());
  const Index step =
      all <= most_work ? 1 : static_cast<Index>(all / most_work) | 1;  // odd, so that all lanes are covered
  const Eigen::MatrixXd wanted =
      fast_gossip(dense(network), network.rounds("chebyshev", R), columns_of(z, step));
  return (columns_of(mixed, step) - wanted).cwiseAbs().maxCoeff() / wanted.cwiseAbs().maxCoeff();
}

template double error_against_dense(const Network&, int, const Rows<float>&, const Rows<float>&);
template double error_against_dense(const Network&, int, const Rows<double>&, const Rows<double>&);

}  // namespace doc2s::bench
