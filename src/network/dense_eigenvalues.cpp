// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Eigenvalues>

#include "doc2s/base/error.hpp"
#include "eigenvalues.hpp"

namespace doc2s {

std::vector<double> all_eigenvalues(const Weights& P) {
  const int n = P.clients();
  // P − 3·11ᵀ/n moves the mean's eigenvalue to −2, below all others. It comes first and is dropped.
  Eigen::MatrixXd A = Eigen::MatrixXd::Constant(n, n, -3.0 / n);
  for (int i = 0; i < n; ++i)
    for (const auto& [client, weight] : P.row(i)) A(i, client) += weight;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A, Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success)
    throw MachineError("the eigenvalues of the weights could not be found");
  return {solver.eigenvalues().data() + 1, solver.eigenvalues().data() + n};
}

}  // namespace doc2s
