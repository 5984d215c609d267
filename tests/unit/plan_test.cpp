// SPDX-License-Identifier: Apache-2.0
#include "theory/plan.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "doc2s/base/error.hpp"
#include "testing_world.hpp"
#include "theory/complexity.hpp"
#include "theory/me_dol_rounds.hpp"

namespace doc2s {
namespace {

using testing::network_of;

PlanRequest checked_request() {
  return {.delta = 0.5,
          .epsilon = 0.5,
          .lipschitz = 1,
          .gradient_bound = 1,
          .gap = 1,
          .clients = 16,
          .dimension = 10};
}

std::string refusal(const PlanRequest& request) {
  try {
    make_plan(request);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Plan, TheCheckValuesOfTheFirstOrder) {
  const Plan plan = make_plan(checked_request());
  EXPECT_EQ(plan.K, 144);
  EXPECT_EQ(plan.T, 661);
  EXPECT_EQ(theorem_rounds(plan, 0.0507), 153);
  EXPECT_EQ(theorem_rounds(plan, network_of("ring", 16).spectrum.gamma()), 153);
  EXPECT_DOUBLE_EQ(plan.D, 0.5 / (8 * 661));
  EXPECT_DOUBLE_EQ(plan.eta, plan.D / std::sqrt(661.0));
  EXPECT_EQ(plan.delta_prime, 0.25);
}

// Worked out apart from the program, by the formulas of the specification.
TEST(Plan, TheCheckValuesOfTheZerothOrder) {
  PlanRequest request = checked_request();
  request.zeroth = true;
  const Plan plan = make_plan(request);
  EXPECT_EQ(plan.K, 144);
  EXPECT_EQ(plan.T, 42899);
  EXPECT_EQ(theorem_rounds(plan, 0.0507), 229);
  EXPECT_NEAR(plan.D, 1.4569104174922491e-06, 1e-20);
  EXPECT_NEAR(plan.eta, 3.5124027292976034e-10, 1e-23);
  EXPECT_NEAR(plan.epsilon_prime, 2.336863392047661e-11, 1e-24);
  request.gradient_bound = 1e9;  // is not asked for
  EXPECT_EQ(make_plan(request).T, plan.T);
}

// h = 1/2 + 1 + 3 = 4.5, 9h² = 182.25, √T = 14 for d = 13.
TEST(Plan, ByHand) {
  const Plan plan = make_plan({.delta = 1,
                               .epsilon = 1,
                               .lipschitz = 1,
                               .gradient_bound = 1,
                               .gap = 0.25,
                               .clients = 4,
                               .dimension = 13});
  EXPECT_EQ(plan.K, 30);  // 24 · 1.25
  EXPECT_EQ(plan.T, 196);
  EXPECT_DOUBLE_EQ(plan.D, 1.0 / 1568);
  EXPECT_DOUBLE_EQ(plan.eta, 1.0 / 1568 / 14);
  const double weight = 13.5 * std::sqrt(13) + 2 * 1568 + 2.5 * 14 * 1568;
  EXPECT_DOUBLE_EQ(plan.epsilon_prime, 1 / (3 * weight));
  EXPECT_DOUBLE_EQ(plan.contraction, 1568 / (3 * weight) / std::sqrt(12));
}

TEST(Plan, TheOtherHalfOfTheConsensusError) {
  // ε/3 over the weight is larger than (T−6)/(3T+6) · D where ε is large
  const Plan plan = make_plan({.delta = 1,
                               .epsilon = 100,
                               .lipschitz = 1,
                               .gradient_bound = 1,
                               .gap = 1,
                               .clients = 4,
                               .dimension = 9});
  EXPECT_EQ(plan.T, 10);  // ⌈0.018⌉ + 9
  EXPECT_DOUBLE_EQ(plan.epsilon_prime, 4.0 / 36 / 80);
}

// h₁ = 1/2 + 1 + 3/2 = 3, T = 81/ε² = 324.
TEST(Plan, TheSmoothCaseByHand) {
  const PlanRequest request{.delta = 1,
                            .epsilon = 0.5,
                            .lipschitz = 2,
                            .gradient_bound = 1,
                            .gap = 0.25,
                            .clients = 4,
                            .dimension = 13,
                            .smooth = Smoothness{.H = 1, .sigma = 1}};
  const Plan plan = make_plan(request);
  EXPECT_EQ(plan.K, 6);  // 12 · 0.25 / 0.5
  EXPECT_EQ(plan.T, 324);
  EXPECT_EQ(plan.delta_prime, 0);
  EXPECT_DOUBLE_EQ(plan.D, 1.0 / 1296);
  EXPECT_DOUBLE_EQ(plan.eta, 1.0 / 1296 / 18);
  EXPECT_DOUBLE_EQ(plan.epsilon_prime, 0.5 / 3 / (9 + 3 * 1296 + 2.5 * 18 * 1296));
  EXPECT_EQ(caveat(request, plan), "");
  PlanRequest wide = request;
  wide.delta = 20;
  EXPECT_NE(caveat(wide, make_plan(wide)).find("δ = 20 and √T = 18"), std::string::npos);
}

// ρ = 1/2, n = 4: c₁ = 4√(0.5 + 4 · 3 · 2) = 4√24.5, c₃ = 17; the power of c₈ as it is printed.
TEST(Plan, RoundsOfMeDolByHand) {
  const PlanRequest request{.delta = 0.5,
                            .epsilon = 0.1,
                            .lipschitz = 2,
                            .gradient_bound = 1,
                            .gap = 3,
                            .clients = 4,
                            .dimension = 9};
  const double sum = 2 + 16 * std::sqrt(24.5) + 2 * 3 * 0.5 * 17;
  const double c8 = 12 * 3 * 2 / 0.5 * std::pow(0.5 * sum / (16 * 3 * 4), 2.0 / 3);
  EXPECT_NEAR(me_dol_rounds(request, 0.5) / (c8 * c8 * c8 / (0.5 * 1e-3)), 1, 1e-12);
  PlanRequest nothing_to_gain = request;
  nothing_to_gain.gap = 0;
  EXPECT_EQ(me_dol_rounds(nothing_to_gain, 0.5), 0);
}

TEST(Plan, CostsAreTheCountsOfARun) {
  const Plan plan = make_plan(checked_request());
  const PlanCosts costs = costs_of(plan, 153, 3, round_bytes(network_of("ring", 16), 10, 8));
  EXPECT_EQ(costs.samples, 144 * 661 * 3);
  EXPECT_EQ(costs.computation_rounds, 144 * 661);
  EXPECT_EQ(costs.communication_rounds, 2.0 * 153 * 144 * 661);
  EXPECT_EQ(costs.bytes, 2.0 * 153 * 144 * 661 * 32 * 10 * 8);  // 16 edges, both ways
}

TEST(Plan, ExactRoundsAreTheFewestThatContractEnough) {
  const Plan plan = make_plan(checked_request());
  for (const auto& gossip : gossip_kinds())
    for (const auto& graph : testing::graph_names()) {
      SCOPED_TRACE(gossip + " on " + graph);
      const Network network = network_of(graph, 16);
      const auto R = exact_rounds(plan, network, gossip);
      ASSERT_TRUE(R);
      EXPECT_LE(network.spectrum.contraction(network.rounds(gossip, *R)), plan.contraction);
      for (int fewer = 1; fewer < *R; ++fewer)
        EXPECT_GT(network.spectrum.contraction(network.rounds(gossip, fewer)), plan.contraction) << fewer;
      if (gossip != "plain" && network.spectrum.gamma() < 0.9) {
        EXPECT_LT(*R, theorem_rounds(plan, network.spectrum.gamma()) / 3);
      }
    }
}

// Lemma 2 by the rounds themselves: a vector of length nD at one client, zero at the others.
double worst_distance_to_mean(const Network& network, Rounds rounds) {
  const int n = network.clients();
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    std::vector<double> before(n), now, next(n);
    before[i] = n;
    now = before;
    for (int r = 0; r < rounds.count; ++r) {
      network.P.multiply(now, next);
      for (int j = 0; j < n; ++j) next[j] = (1 + rounds.phi) * next[j] - rounds.phi * before[j];
      before.swap(now);
      now.swap(next);
    }
    for (const double number : now) worst = std::max(worst, std::abs(number - 1));
  }
  return worst;  // in units of D
}

TEST(Plan, ExactRoundsKeepEveryClientWithinTheLemma) {
  const Plan plan = make_plan(checked_request());
  for (const auto& graph : testing::graph_names()) {
    const Network network = network_of(graph, 16);
    const Rounds rounds = network.rounds("chebyshev", *exact_rounds(plan, network, "chebyshev"));
    EXPECT_LE(worst_distance_to_mean(network, rounds), plan.epsilon_prime / plan.D) << graph;
  }
}

TEST(Plan, ASingleClientNeedsNoGossip) {
  PlanRequest request = checked_request();
  request.clients = 1;
  const Plan plan = make_plan(request);
  EXPECT_EQ(theorem_rounds(plan, 1), 1);
  EXPECT_EQ(exact_rounds(plan, network_of("complete", 1), "chebyshev"), 1);
}

TEST(Plan, RefusesWhatHasNoPlan) {
  const auto with = [](auto change) {
    PlanRequest request = checked_request();
    change(request);
    return refusal(request);
  };
  EXPECT_EQ(with([](auto&) {}), "");
  EXPECT_NE(with([](auto& r) { r.epsilon = 0; }).find("epsilon is 0"), std::string::npos);
  EXPECT_NE(with([](auto& r) { r.delta = -1; }).find("delta is -1"), std::string::npos);
  EXPECT_NE(with([](auto& r) { r.lipschitz = NAN; }).find("Lipschitz"), std::string::npos);
  EXPECT_NE(with([](auto& r) { r.gradient_bound = 0; }).find("gradient bound"), std::string::npos);
  EXPECT_NE(with([](auto& r) { r.gap = -1; }).find("gap"), std::string::npos);
  EXPECT_NE(with([](auto& r) { r.smooth = {-1, 1}; }).find("smooth (H) is -1"), std::string::npos);
  EXPECT_NE(with([](auto& r) { r.smooth = {1, NAN}; }).find("sigma"), std::string::npos);
  EXPECT_NE(with([](auto& r) { r.epsilon = 1e9, r.dimension = 2; }).find("more than 6"), std::string::npos);
  EXPECT_NE(with([](auto& r) { r.epsilon = 1e-300; }).find("outside the range of double"), std::string::npos);
  EXPECT_NE(with([](auto& r) { r.delta = 1e-320, r.epsilon = 1e-9; }).find("outside the range of double"),
            std::string::npos);
}

TEST(Plan, AbsurdSizesAreSaidInWords) {
  PlanRequest request = checked_request();
  request.epsilon = 1e-6;
  const Plan plan = make_plan(request);
  EXPECT_GT(plan.iterations(), 0x1p63);  // no integer holds it, and nothing wrapped
  EXPECT_EQ(readable_size(request, plan, 1, 1e5),
            "this plan needs 1.2·10²² samples; at ε = 0.5 it needs 9.5·10⁴");
  request.delta = 1e-9;
  EXPECT_NE(readable_size(request, plan, 1, 1e5).find("use a larger δ"), std::string::npos);
  EXPECT_EQ(readable(4e12), "4·10¹²");
  EXPECT_EQ(readable(9.96e12), "1·10¹³");
  EXPECT_EQ(readable(95184), "95,184");
  EXPECT_EQ(readable(999999.7), "1·10⁶");
  EXPECT_EQ(readable(INFINITY), "more than any number");
}

TEST(Plan, OrdersOfTheTable) {
  const ComplexityInputs inputs{
      .delta = 0.5, .epsilon = 0.1, .clients = 4, .dimension = 9, .gamma = 0.25, .zeroth = false};
  const auto first = complexities(inputs);
  ASSERT_EQ(first.size(), 4);
  EXPECT_NEAR(first[0].samples, 2000, 1e-9);
  EXPECT_NEAR(first[0].communication_rounds, 4000, 1e-9);
  EXPECT_NEAR(first[1].samples, 16 * 2000 * 16, 1e-6);  // n²/γ²
  EXPECT_NEAR(first[1].communication_rounds, 4 * 2000 * 16, 1e-6);
  EXPECT_NEAR(first[2].computation_rounds, 27 * 20000, 1e-6);               // d^{3/2}/(δε⁴)
  EXPECT_NEAR(first[3].computation_rounds, 6 * 200 * (1 + 9 / 0.4), 1e-6);  // √(nd)/(δε²) (1 + d/(nε))
  EXPECT_NEAR(first[3].communication_rounds, 6 * 200, 1e-6);
  ComplexityInputs zeroth = inputs;
  zeroth.zeroth = true;
  EXPECT_NEAR(complexities(zeroth)[0].samples, 9 * first[0].samples, 1e-6);
  EXPECT_NEAR(complexities(zeroth)[1].samples, 9 * first[1].samples, 1e-6);
}

}  // namespace
}  // namespace doc2s
