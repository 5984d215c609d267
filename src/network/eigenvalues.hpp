// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "doc2s/network/spectrum.hpp"
#include "doc2s/network/weights.hpp"

namespace doc2s {

// A symmetric matrix as a function: out = A x.
using Operator = std::function<void(std::span<const double> x, std::span<double> out)>;

// All eigenvalues of P except the mean's, ascending. Dense: O(n³).
std::vector<double> all_eigenvalues(const Weights& P);

struct SpectrumEnds {
  double lambda2, lambda_min;
};

// λ₂ and λ_min of a P with many clients, to 1e−10. Throws MachineError if they are not found.
SpectrumEnds end_eigenvalues(const Weights& P);

// The largest eigenvalue (about 1) of A, n×n, to the relative `tolerance`; empty if it does not converge.
std::optional<double> largest_eigenvalue(Index n, const Operator& A, double tolerance, int restarts);

// max |q_R(λ)| over the eigenvalues of P except the mean's, at most `scale`; empty if it does not converge.
std::optional<double> inner_contraction(const Weights& P, Rounds rounds, double scale, double tolerance);

// Whether uniform weights on this shape have eigenvalues in closed form.
bool has_known_gaps(const Shape& shape);

// The numbers 1 − λ of those eigenvalues except the mean's, each at least once; for at least two clients.
std::vector<double> known_gaps(const Shape& shape);

// max |q_R(λ)| over low ≤ λ ≤ high, to about nine digits.
double peak(Rounds rounds, double low, double high);

}  // namespace doc2s
