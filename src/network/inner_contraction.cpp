// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "eigenvalues.hpp"

namespace doc2s {

namespace {

// out = q_R(P) x, round by round.
void apply(const Weights& P, Rounds rounds, std::span<const double> x, std::span<double> out) {
  std::vector<double> before(x.begin(), x.end()), now = before, next(x.size());
  RoundSteps steps(rounds);
  for (int r = 0; r < rounds.count; ++r) {
    const auto [c, d] = steps.next();
    P.multiply(now, next);
    for (std::size_t i = 0; i < x.size(); ++i) next[i] = (1 + d - c) * now[i] + c * next[i] - d * before[i];
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

}  // namespace

// By Lanczos on I + (q_R(P)/scale)², whose eigenvalues are in [1, 2].
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

}  // namespace doc2s
