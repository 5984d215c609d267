// SPDX-License-Identifier: Apache-2.0
#include "tight_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

constexpr double most_budget = 0x1p40;  // iterations

// a: the smoothing takes aδ of the ball, the epoch the rest.
double smoothed_share(const PlanRequest& r) { return r.smooth ? 0 : 0.1; }

// The share of ε and of the epoch's radius that is left where clients disagree.
double kept_share(const PlanRequest& r) { return r.gossips ? 0.98 : 1; }

// √ of the second moment of an estimate: G, or Ld/√(d − 1) by Poincaré's inequality on the sphere.
double estimate_size(const PlanRequest& r) {
  if (!r.zeroth) return r.gradient_bound;
  return r.dimension < 2 ? r.lipschitz : r.lipschitz * r.dimension / std::sqrt(r.dimension - 1);
}

// ‖∇f(ŵ)‖_δ ≤ (ν'/(DTK) + 2G/√T) / kept, in expectation.
struct Guarantee {
  double G, fall, radius, kept;  // ν' = ν + aLδ, (1 − a)δ

  explicit Guarantee(const PlanRequest& r)
      : G(estimate_size(r)),
        fall(r.gap + smoothed_share(r) * r.lipschitz * r.delta),
        radius((1 - smoothed_share(r)) * r.delta),
        kept(kept_share(r)) {}

  double D(double T) const { return kept * 2 * radius / (T + 1); }
  double epsilon(double K, double T) const { return (fall / (D(T) * T * K) + 2 * G / std::sqrt(T)) / kept; }
};

struct Lengths {
  double K, T;
};

// Two thirds of ε for the noise, which decides T, one for the descent: the fewest iterations.
Lengths lengths_for(double epsilon, const Guarantee& guarantee) {
  const double own = guarantee.kept * epsilon;
  const double T = std::max(1.0, std::ceil(9 * (guarantee.G * guarantee.G) / (own * own)));
  return {std::max(1.0, std::ceil(3 * guarantee.fall / (own * guarantee.D(T) * T))), T};
}

// The least guarantee with KT ≤ N. Given K, the longest T is best, and the other way round; one of them is at
// most √N.
Lengths lengths_within(double N, const Guarantee& guarantee) {
  if (!(N >= 1 && N <= most_budget))
    throw Error(fmt::format("a budget of {:.0f} iterations", N), "plan", "it must be from 1 to 2^40");
  Lengths best{1, N};
  const auto look = [&](double K, double T) {
    if (guarantee.epsilon(K, T) < guarantee.epsilon(best.K, best.T)) best = {K, T};
  };
  for (double one = 1; one * one <= N; ++one) {
    const double other = std::floor(N / one);
    look(one, other);
    look(other, one);
  }
  return best;
}

// ε' = ϑD: what clients may disagree by. It costs (ϑ/√n)(5G/2 + L + 31HD/10) ≤ ε/50 where ϑ ≤ √(n/T) and
// ϑ ≤ 1/100.
double disagreement(const PlanRequest& r, const Plan& plan, double G) {
  const double H =
      r.smooth ? r.smooth->H : r.c0 * r.lipschitz * std::sqrt(r.dimension) / (smoothed_share(r) * r.delta);
  const double cost = (2.5 * G + r.lipschitz + 3.1 * H * plan.D) / std::sqrt(r.clients);
  return std::min({0.01, std::sqrt(r.clients / plan.T), 0.02 * plan.epsilon / cost}) * plan.D;
}

}  // namespace

Plan tight_plan(const PlanRequest& r) {
  const Guarantee guarantee(r);
  const Lengths lengths = r.budget ? lengths_within(*r.budget, guarantee) : lengths_for(r.epsilon, guarantee);
  Plan plan{};
  plan.epsilon = r.budget ? guarantee.epsilon(lengths.K, lengths.T) : r.epsilon;
  plan.K = lengths.K;
  plan.T = lengths.T;
  plan.D = guarantee.D(plan.T);
  plan.eta = plan.D / (guarantee.G * std::sqrt(plan.T));
  plan.delta_prime = smoothed_share(r) * r.delta;
  plan.epsilon_prime = r.gossips ? disagreement(r, plan, guarantee.G) : 0;
  return plan;
}

}  // namespace doc2s
