// SPDX-License-Identifier: Apache-2.0
#include "slopes.hpp"

#include <Eigen/Dense>
#include <cmath>

namespace doc2s {

std::optional<LinearFit> linear_fit(const std::vector<std::vector<double>>& x, const std::vector<double>& y) {
  if (x.empty() || x.size() <= x.front().size() + 1) return {};
  const auto points = static_cast<Eigen::Index>(x.size());
  const auto unknowns = static_cast<Eigen::Index>(x.front().size()) + 1;
  Eigen::MatrixXd A(points, unknowns);
  for (Eigen::Index k = 0; k < points; ++k) {
    A(k, 0) = 1;
    for (Eigen::Index j = 1; j < unknowns; ++j) A(k, j) = x[k][j - 1];
  }
  const Eigen::Map<const Eigen::VectorXd> right(y.data(), points);
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> solver(A);
  solver.setThreshold(1e-9);
  if (solver.rank() < unknowns) return {};
  const Eigen::VectorXd solution = solver.solve(right);
  const double variance =
      (A * solution - right).squaredNorm() / static_cast<double>(points - unknowns);  // of a point
  const Eigen::MatrixXd inverse = (A.transpose() * A).inverse();
  LinearFit fit;
  for (Eigen::Index j = 0; j < unknowns; ++j) {
    fit.coefficients.push_back(solution(j));
    fit.errors.push_back(std::sqrt(variance * inverse(j, j)));
  }
  return fit;
}

}  // namespace doc2s
