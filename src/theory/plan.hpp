// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "doc2s/network/network.hpp"

// The parameters of DOC²S from its theorems; docs/theory.md says where each formula is in the paper.
namespace doc2s {

// Each f_i is H-smooth and E‖∇F_i(x; ξ) − ∇f_i(x)‖² ≤ σ².
struct Smoothness {
  double H, sigma;
};

// Inputs of the theorems. f = (1/n) Σ f_i, x0 is the start.
struct PlanRequest {
  double delta, epsilon;  // the goal: E‖∇f(w_i^out)‖_δ ≤ ε for every client i
  double lipschitz;  // L: E L(ξ)² ≤ L² for every client, L(ξ) the Lipschitz constant of F_i(·; ξ)
  double gradient_bound = 0;  // G: E‖∇F_i(x; ξ)‖² ≤ G²; first order only
  double gap;                 // ν ≥ f(x0) − inf f
  double clients;             // n
  double dimension;           // d
  bool zeroth = false;
  double c0 = 1;  // f smoothed over a ball of radius r has a (c0 √d L/r)-Lipschitz gradient
  std::optional<Smoothness> smooth{};  // the smooth case, whose estimates do not smooth; first order only
  bool tight = false;                  // the tight constants of docs/theory.md, not the paper's
  bool gossips = true;                 // false: state that is the same for all; tight constants only
  std::optional<double> budget{};  // at most so many iterations, in place of epsilon; tight constants only
};

// Counts are integers stored in double, because a plan may exceed any integer type; infinity: beyond double.
struct Plan {
  double epsilon;  // what is guaranteed: the request's, or the least for its budget
  double K, T;     // epochs, iterations per epoch
  double D, eta, epsilon_prime, delta_prime;
  double contraction;  // ε'/(√(n(n−1)) D): the contraction that the proof requires of a gossip

  double iterations() const { return K * T; }
};

// Throws Error if a number is out of range or ε is too large for the proof.
Plan make_plan(const PlanRequest& request);

// What the plan assumes and the request does not meet, or that it guarantees nothing, in words; "" where
// there is nothing to say.
std::string caveat(const PlanRequest& request, const Plan& plan);

// R of the theorem for Chebyshev gossip: ⌈log(√(14n(n−1)) D/ε') / ((1 − 1/√2)√γ)⌉, at least 1.
double theorem_rounds(const Plan& plan, double gamma);

// Whether ρ_R is cheap to compute: R up to 10⁶; with more than 600 clients, up to 3,000.
bool is_quick(const Network& network, double R);

// The smallest R with ρ_R within the plan's contraction, for any P and each kind of gossip; empty if no
// cheap R suffices.
std::optional<int> exact_rounds(const Plan& plan, const Network& network, const std::string& gossip);

// The cost of a run of the plan with R rounds of gossip, in the counts of docs/files.md.
struct PlanCosts {
  double samples, computation_rounds, communication_rounds, bytes;
};
PlanCosts costs_of(const Plan& plan, double R, double batch, double bytes_a_round);

// Bytes of a round of gossip: a row over every edge, both ways.
double round_bytes(const Network& network, double dimension, double bytes_a_number);

// "4·10¹²"; below `plain_below`, at most a million, "95,184".
std::string readable(double count, double plain_below = 1e6);

// `this plan needs 4·10¹² samples; at ε = 0.5 it needs 9·10⁴`: the next ε of 1, 2, 5, 10, … that needs at
// most `iterations`; ε ≥ L is always satisfied.
std::string readable_size(const PlanRequest& request, const Plan& plan, double batch, double iterations);

}  // namespace doc2s
