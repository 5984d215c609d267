// SPDX-License-Identifier: Apache-2.0
#include <Spectra/SymEigsSolver.h>
#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <numeric>

#include "base/long_work.hpp"
#include "doc2s/base/error.hpp"
#include "eigenvalues.hpp"

namespace doc2s {

namespace {

// The matrix interface that Spectra requires.
class SpectraOperator {
 public:
  using Scalar = double;

  SpectraOperator(Index n, const Operator& A) : n_(n), A_(A) {}
  Eigen::Index rows() const { return n_; }
  Eigen::Index cols() const { return n_; }
  void perform_op(const double* x, double* out) const {
    work_.go_on();
    const auto n = static_cast<std::size_t>(n_);
    A_({x, n}, {out, n});
  }

 private:
  Index n_;
  const Operator& A_;
  const LongWork work_{"computing the network's spectrum"};
};

constexpr double tolerance = 1e-10;
constexpr int few_restarts = 30, many_restarts = 300;
constexpr Index krylov_dimension = 40;

using Matrix = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;
using Factor = Eigen::SimplicialLLT<Matrix>;

double mean(std::span<const double> x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

// 1 + λ₂ is the largest eigenvalue of I + P − 3·11ᵀ/n.
std::optional<double> lambda2_by_products(const Weights& P) {
  const auto largest = largest_eigenvalue(
      P.clients(),
      [&](std::span<const double> x, std::span<double> out) {
        P.multiply(x, out);
        const double away = 3 * mean(x);
        for (std::size_t i = 0; i < x.size(); ++i) out[i] += x[i] - away;
      },
      tolerance, few_restarts);
  return largest ? std::optional(*largest - 1) : std::nullopt;
}

// I − P without the row and column of client 0, which makes it positive definite.
Matrix grounded_laplacian(const Weights& P) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 1; i < P.clients(); ++i) {
    double others = 0;
    for (const auto& [client, weight] : P.row(i)) {
      if (client == i) continue;
      others += weight;
      if (client > 0) entries.emplace_back(i - 1, client - 1, -weight);
    }
    entries.emplace_back(i - 1, i - 1, others);
  }
  Matrix L(P.clients() - 1, P.clients() - 1);
  L.setFromTriplets(entries.begin(), entries.end());
  return L;
}

[[noreturn]] void not_found(const char* which, const Weights& P) {
  throw MachineError(fmt::format("{} of the weights of {} clients did not converge", which, P.clients()), "",
                     "take fewer clients or a graph with more edges");
}

// 1/γ is the largest eigenvalue of (I − P)⁺, well separated if γ is tiny, as on a long ring or path. To apply
// the pseudo-inverse to a mean-free x, solve with client 0 fixed at 0, then subtract the mean.
double lambda2_by_solves(const Weights& P) {
  const Factor factor(grounded_laplacian(P));
  if (factor.info() != Eigen::Success) not_found("λ₂", P);
  const Eigen::Index n = P.clients();
  const double scale = static_cast<double>(n);
  const auto largest = largest_eigenvalue(
      n,
      [&](std::span<const double> x, std::span<double> out) {
        Eigen::Map<Vector> y(out.data(), n);
        y[0] = 0;
        y.tail(n - 1) =
            factor.solve((Eigen::Map<const Vector>(x.data(), n).array() - mean(x)).matrix().tail(n - 1)) /
            scale;
        y.array() -= mean(out);
      },
      tolerance, many_restarts);
  if (!largest) not_found("λ₂", P);
  return 1 - 1 / (*largest * scale);
}

// 1 − λ_min is the largest eigenvalue of I − P.
std::optional<double> lambda_min_by_products(const Weights& P, double tolerance) {
  const auto largest = largest_eigenvalue(
      P.clients(),
      [&](std::span<const double> x, std::span<double> out) {
        P.multiply(x, out);
        for (std::size_t i = 0; i < x.size(); ++i) out[i] = x[i] - out[i];
      },
      tolerance, few_restarts);
  return largest ? std::optional(1 - *largest) : std::nullopt;
}

Matrix shifted(const Weights& P, double shift) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < P.clients(); ++i)
    for (const auto& [client, weight] : P.row(i))
      entries.emplace_back(i, client, client == i ? weight - shift : weight);
  Matrix A(P.clients(), P.clients());
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

// If σ is just below λ_min, 1/(λ_min − σ) is the largest eigenvalue of (P − σI)⁻¹. The Cholesky factor of P −
// σI exists only if σ < λ_min, which checks σ.
double lambda_min_by_solves(const Weights& P) {
  const auto estimate = lambda_min_by_products(P, 1e-3);  // not below λ_min
  if (!estimate) not_found("λ_min", P);
  const Eigen::Index n = P.clients();
  Factor factor;
  double distance = 1e-6, shift;
  do {
    shift = *estimate - distance;
    factor.compute(shifted(P, shift));
    distance *= 8;
  } while (factor.info() != Eigen::Success && distance < 4);
  const double scale = 1 / distance;
  const auto largest = largest_eigenvalue(
      n,
      [&](std::span<const double> x, std::span<double> out) {
        Eigen::Map<Vector>(out.data(), n) = factor.solve(Eigen::Map<const Vector>(x.data(), n)) / scale;
      },
      tolerance, many_restarts);
  if (!largest) not_found("λ_min", P);
  return shift + 1 / (*largest * scale);
}

}  // namespace

std::optional<double> largest_eigenvalue(Index n, const Operator& A, double tolerance, int restarts) {
  SpectraOperator op(n, A);
  Spectra::SymEigsSolver<SpectraOperator> solver(op, 1, std::min(krylov_dimension, n));
  solver.init();  // starts from a fixed vector
  if (solver.compute(Spectra::SortRule::LargestAlge, restarts, tolerance) < 1) return std::nullopt;
  return solver.eigenvalues()[0];
}

// Products converge fast unless many eigenvalues cluster at the end, as on long thin graphs. Those are cheap
// to factor.
SpectrumEnds end_eigenvalues(const Weights& P) {
  const auto lambda2 = lambda2_by_products(P);
  const auto lambda_min = lambda_min_by_products(P, tolerance);
  return {lambda2 ? *lambda2 : lambda2_by_solves(P), lambda_min ? *lambda_min : lambda_min_by_solves(P)};
}

}  // namespace doc2s
