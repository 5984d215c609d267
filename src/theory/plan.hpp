#pragma once
#include <optional>
#include <string>

#include "doc2s/network/network.hpp"

// The parameters of DOC²S from its theorems; docs/theory.md says where each formula stands in the paper.
namespace doc2s {

// What the theorems ask for. f = (1/n) Σ f_i, x0 the start.
struct PlanRequest {
  double delta, epsilon;  // the aim: E‖∇f(w_i^out)‖_δ ≤ ε for every client i
  double lipschitz;  // L: E L(ξ)² ≤ L² for every client, L(ξ) the Lipschitz constant of F_i(·; ξ)
  double gradient_bound = 0;  // G: E‖∇F_i(x; ξ)‖² ≤ G²; first order only
  double gap;                 // ν ≥ f(x0) − inf f
  double clients;             // n
  double dimension;           // d
  bool zeroth = false;
  double c0 = 1;  // f smoothed over a ball of radius r has a (c0 √d L/r)-Lipschitz gradient
};

// Counts are whole numbers in double, for a plan may be larger than any integer: infinity says beyond double.
struct Plan {
  double K, T;  // epochs, iterations an epoch
  double D, eta, epsilon_prime, delta_prime;
  double contraction;  // ε'/(√(n(n−1)) D): what a gossip may leave of any disagreement, by the proof

  double iterations() const { return K * T; }
};

// Throws Error where a number is out of its range, or where ε is so large that the proof does not hold.
Plan make_plan(const PlanRequest& request);

// R of the theorem, for Chebyshev's gossip: ⌈log(√(14n(n−1)) D/ε') / ((1 − 1/√2)√γ)⌉, at least 1.
double theorem_rounds(const Plan& plan, double gamma);

// Whether ρ_R can be had in a moment: R up to 10⁶, with more than 600 clients up to 3,000.
bool is_quick(const Network& network, double R);

// The smallest R whose own ρ_R is within the plan's contraction, for any P and either kind of gossip; nothing
// where none that is quick to look at is.
std::optional<int> exact_rounds(const Plan& plan, const Network& network, const std::string& gossip);

// What a run of the plan costs with R rounds of gossip, in the counts of docs/files.md.
struct PlanCosts {
  double samples, computation_rounds, communication_rounds, bytes;
};
PlanCosts costs_of(const Plan& plan, double R, double batch, const Network& network, double dimension,
                   double bytes_a_number);

// "4·10¹²"; below `plain_below`, which is at most a million, "95,184".
std::string in_words(double count, double plain_below = 1e6);

// `this plan needs 4·10¹² samples; at ε = 0.5 it needs 9·10⁴`: the next ε of 1, 2, 5, 10, … with at most
// `iterations`; from ε = L on there is nothing to reach.
std::string size_in_words(const PlanRequest& request, const Plan& plan, double batch, double iterations);

}  // namespace doc2s
