// SPDX-License-Identifier: Apache-2.0
#include "gossip_memory.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

constexpr int most_clients = 600;  // whose eigenvectors take half a second

// q_R(P) = V q_R(Λ) Vᵀ
Eigen::MatrixXd image(const Weights& P, const Rounds& rounds) {
  const int n = P.clients();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i)
    for (const auto& [client, weight] : P.row(i)) A(i, client) = weight;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A);
  if (solver.info() != Eigen::Success)
    throw MachineError("the eigenvectors of the weights could not be found");
  const Eigen::MatrixXd& V = solver.eigenvectors();
  const auto factor = [&](double lambda) { return rounds.factor(lambda); };
  return V * solver.eigenvalues().unaryExpr(factor).asDiagonal() * V.transpose();
}

// The zeros of clients that are not reached come out within rounding.
double without_noise(double x) { return std::abs(x) < 1e-12 ? 0 : x; }

}  // namespace

std::optional<GossipMemory> gossip_memory(const Network& network, const Rounds& rounds) {
  if (network.change || network.clients() > most_clients) return {};
  const Eigen::MatrixXd Q = image(network.P, rounds);
  return GossipMemory{Q.squaredNorm(), without_noise(Q.minCoeff())};
}

void add_memory(JsonObject& object, const std::optional<GossipMemory>& known) {
  object.add_raw("memory", known ? json(known->memory) : "null")
      .add_raw("least_c", known ? json(known->least_c) : "null");
}

}  // namespace doc2s
