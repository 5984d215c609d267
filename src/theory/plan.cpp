// SPDX-License-Identifier: Apache-2.0
#include "plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "doc2s/base/error.hpp"
#include "tight_plan.hpp"

namespace doc2s {

namespace {

void require_above_0(double number, const char* name) {
  if (!(number > 0 && std::isfinite(number)))
    throw Error(fmt::format("{} is {}", name, number), "plan", "it must be a number above 0");
}

void require_at_least_0(double number, const char* name) {
  if (!(number >= 0 && std::isfinite(number)))
    throw Error(fmt::format("{} is {}", name, number), "plan", "it must be a number of at least 0");
}

void check(const PlanRequest& r) {
  require_above_0(r.delta, "delta");
  if (!r.budget) require_above_0(r.epsilon, "epsilon");
  require_above_0(r.lipschitz, "the Lipschitz constant");
  if (!r.zeroth) require_above_0(r.gradient_bound, "the gradient bound");
  require_at_least_0(r.gap, "the gap");
  require_above_0(r.clients, "the number of clients");
  require_above_0(r.dimension, "the dimension");
  require_above_0(r.c0, "c0");
  if (!r.smooth) return;
  require_above_0(r.smooth->H, "smooth (H)");
  require_at_least_0(r.smooth->sigma, "sigma");
}

double h3(const PlanRequest& r) { return std::sqrt(16 * std::sqrt(2 * std::numbers::pi)) * r.lipschitz; }

// Bound of √E‖g‖² for an estimate g: G, or h₃√d by the zeroth-order lemma.
double estimate_bound(const PlanRequest& r) {
  return r.zeroth ? h3(r) * std::sqrt(r.dimension) : r.gradient_bound;
}

// How far an epoch may go from its mean: δ, or what the smoothing over δ' = δ/2 leaves of it.
double epoch_radius(const PlanRequest& r) { return r.smooth ? r.delta : r.delta / 2; }

// How far the function that is descended can fall: f, or f smoothed, which is within Lδ/2 of it.
double largest_fall(const PlanRequest& r) { return r.smooth ? r.gap : r.gap + r.lipschitz * r.delta; }

// ⌈9h²/ε²⌉ with, in the smooth case, h₁ = σ/√n + G + 3H/2. First order: + d, h = G/√n + G + 3c₀L. Zeroth
// order: ⌈9h₄²d/ε²⌉, h₄ = h₃/√n + h₃ + 3c₀L.
double epoch_length(const PlanRequest& r) {
  const double g = r.zeroth ? h3(r) : r.gradient_bound;
  const double noise = r.smooth ? r.smooth->sigma : g;
  const double curvature = r.smooth ? 3 * r.smooth->H / 2 : 3 * r.c0 * r.lipschitz;
  const double h = noise / std::sqrt(r.clients) + g + curvature;
  const double least = 9 * (h * h) / (r.epsilon * r.epsilon);
  if (r.smooth) return std::ceil(least);
  return r.zeroth ? std::ceil(least * r.dimension) : std::ceil(least) + r.dimension;
}

// ε' = min{(T−6)/(3T+6) · D, (C + (G+L)/D + 5G√T/(2D))⁻¹ · ε/3}, where G bounds an estimate and
// C = 27c₀L√d/(2δ); in the smooth case C = 9H.
double consensus_error(const PlanRequest& r, double T, double D) {
  const double G = estimate_bound(r);
  const double within_ball = (T - 6) / (3 * T + 6) * D;
  const double C =
      r.smooth ? 9 * r.smooth->H : 27 * r.c0 * r.lipschitz * std::sqrt(r.dimension) / (2 * r.delta);
  const double weight = C + (G + r.lipschitz) / D + 5 * G * std::sqrt(T) / (2 * D);
  return std::min(within_ball, r.epsilon / 3 / weight);
}

Plan paper_plan(const PlanRequest& r) {
  Plan plan{};
  plan.epsilon = r.epsilon;
  plan.delta_prime = r.smooth ? 0 : r.delta / 2;
  plan.K = std::max(1.0, std::ceil(12 * largest_fall(r) / (epoch_radius(r) * r.epsilon)));
  plan.T = epoch_length(r);
  if (plan.T <= 6)
    throw Error(fmt::format("ε = {} gives epochs of T = {} iterations, and the proof needs more than 6",
                            r.epsilon, plan.T),
                "plan", "take a smaller epsilon");
  plan.D = epoch_radius(r) / (4 * plan.T);
  plan.eta = plan.D / (estimate_bound(r) * std::sqrt(plan.T));
  plan.epsilon_prime = consensus_error(r, plan.T, plan.D);
  return plan;
}

}  // namespace

Plan make_plan(const PlanRequest& r) {
  check(r);
  Plan plan = r.tight ? tight_plan(r) : paper_plan(r);
  const bool agrees = r.tight && !r.gossips;  // then ε' is 0
  if (!(plan.eta > 0 && (plan.epsilon_prime > 0 || agrees) && std::isfinite(plan.iterations())))
    throw Error(fmt::format("the plan for δ = {}, ε = {}, L = {} is outside the range of double precision",
                            r.delta, plan.epsilon, r.lipschitz),
                "plan", "take a larger delta or epsilon");
  plan.contraction =
      r.clients < 2 ? 1 : plan.epsilon_prime / (plan.D * std::sqrt(r.clients) * std::sqrt(r.clients - 1));
  return plan;
}

double theorem_rounds(const Plan& plan, double gamma) {
  if (plan.contraction >= 1) return 1;  // a single client
  const double logarithm = std::log(std::sqrt(14.0) / plan.contraction);
  return std::max(1.0, std::ceil(logarithm / ((1 - 1 / std::numbers::sqrt2) * std::sqrt(gamma))));
}

bool is_quick(const Network& network, double R) { return R <= (network.clients() > 600 ? 3000 : 1e6); }

std::optional<int> exact_rounds(const Plan& plan, const Network& network, const std::string& gossip) {
  const Spectrum& spectrum = network.spectrum;
  Rounds rounds = network.rounds(gossip, 1);
  RoundFactors largest(rounds, spectrum.lambda2()), smallest(rounds, spectrum.lambda_min());
  for (; is_quick(network, rounds.count); ++rounds.count) {
    // ρ_R is at least the value at the ends, which is cheap to compute.
    const double ends = std::max(std::abs(largest.next()), std::abs(smallest.next()));
    if (!std::isfinite(ends)) return {};
    if (ends <= plan.contraction && spectrum.contraction_bound(rounds) <= plan.contraction)
      return rounds.count;
  }
  return {};
}

PlanCosts costs_of(const Plan& plan, double R, double batch, double bytes_a_round) {
  const double rounds = 2 * R * plan.iterations();
  return {plan.iterations() * batch, plan.iterations(), rounds, rounds * bytes_a_round};
}

double round_bytes(const Network& network, double dimension, double bytes_a_number) {
  return 2 * static_cast<double>(network.graph.edges()) * dimension * bytes_a_number;
}

}  // namespace doc2s
