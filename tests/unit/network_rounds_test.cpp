// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "network_helpers.hpp"

namespace doc2s::network_tests {
namespace {

Network make(int clients, const std::string& graph, const std::vector<Given>& more = {}) {
  return make_network(clients, graph_settings(graph, more), 1);
}

std::string refused(const Network& network, const std::string& gossip, int count) {
  return refusal([&] { network.accepted_rounds(gossip, count, "a.toml:9:1: method.R"); });
}

TEST(NetworkRounds, one_chebyshev_round_on_the_ring_of_16_is_refused_with_three_ways_out) {
  const Network ring = make(16, "ring");
  EXPECT_NEAR(ring.spectrum.contraction(ring.rounds("chebyshev", 1)), 1.029, 5e-4);
  expect_words(refused(ring, "chebyshev", 1),
               {"a.toml:9:1: method.R", "R = 1", "1.029", "more rounds (method.R = 2", "network.lazy = true",
                "method.gossip = \"plain\""});
}

TEST(NetworkRounds, each_way_out_is_accepted) {
  const Network ring = make(16, "ring");
  EXPECT_EQ(ring.accepted_rounds("chebyshev", 2, "").count, 2);
  EXPECT_EQ(ring.accepted_rounds("chebyshev", 2, "").phi, ring.spectrum.phi());
  EXPECT_EQ(ring.accepted_rounds("plain", 1, "").phi, 0);
  EXPECT_EQ(make(16, "ring", {lazily()}).accepted_rounds("chebyshev", 1, "").count, 1);
}

TEST(NetworkRounds, only_the_ways_that_help_are_named) {
  const Network ring = make(1200, "ring");  // 64 rounds are not enough here
  const std::string message = refused(ring, "chebyshev", 1);
  expect_words(message, {"lazy", "plain", "1 − "});
  EXPECT_EQ(message.find("more rounds"), std::string::npos);
}

TEST(NetworkRounds, no_rounds_at_all_are_refused) {
  const std::string message = refused(make(16, "ring"), "plain", 0);
  expect_words(message, {"R = 0", "ρ_R = 1", "more rounds (method.R = 1"});
  EXPECT_EQ(message.find("lazy"), std::string::npos);
}

TEST(NetworkRounds, a_network_that_nothing_mends) {
  const double link = 1e-15;
  const Weights P({{{0, 1 - link}, {1, link}}, {{0, link}, {1, 1 - link}}});
  const Network network{Graph(2, {{0, 1}}), P, Spectrum(P)};
  expect_words(refused(network, "plain", 3), {"γ = ", "too small", "add edges"});
}

TEST(NetworkRounds, lazy_weights_contract_for_every_number_of_rounds) {
  for (const auto& kind : graph_kinds()) {
    if (kind.name == "file") continue;
    const Network network = make(16, kind.name, {text("weights", "metropolis"), lazily()});
    EXPECT_GE(network.spectrum.lambda_min(), -1e-14);
    for (int R = 1; R <= 60; ++R) EXPECT_EQ(refused(network, "chebyshev", R), "") << kind.name << " " << R;
  }
}

// cosh(R arccosh ℓ(1))⁻¹ of the exact eigenvalues
TEST(NetworkRounds, on_the_interval_every_number_of_rounds_leaves_one_over_tau) {
  for (const auto& kind : graph_kinds()) {
    if (kind.name == "file") continue;
    for (const bool lazy : {false, true}) {
      const Network network = make(16, kind.name, {text("weights", "metropolis"), {"lazy", Value(lazy)}});
      const double low = network.spectrum.lambda_min(), high = network.spectrum.lambda2();
      const double theta = std::acosh((2 - high - low) / std::max(high - low, 1e-9));
      for (int R = 1; R <= 60; ++R) {
        EXPECT_EQ(refused(network, "chebyshev-interval", R), "") << kind.name << " " << R;
        const double left = network.spectrum.contraction(network.rounds("chebyshev-interval", R));
        EXPECT_NEAR(left, high - low < 1e-9 ? 0 : 1 / std::cosh(R * theta), 1e-10) << kind.name << " " << R;
      }
    }
  }
}

TEST(NetworkRounds, many_clients_on_the_interval) {
  for (const auto& [graph, n] : {std::pair("ring", 4096), {"torus", 1024}, {"erdos-renyi", 800}}) {
    const Network network = make(n, graph, {text("weights", "metropolis")});
    const double low = network.spectrum.lambda_min(), high = network.spectrum.lambda2();
    const double theta = std::acosh((2 - high - low) / (high - low));
    for (const int R : {1, 2, 30}) {
      const Rounds rounds = network.accepted_rounds("chebyshev-interval", R, "");
      EXPECT_NEAR(network.spectrum.contraction(rounds), 1 / std::cosh(R * theta), 1e-8) << graph << " " << R;
    }
  }
}

TEST(NetworkRounds, on_the_papers_ring_24_do_what_35_of_the_listing_do) {
  const Network ring = make(16, "ring");
  EXPECT_NEAR(ring.spectrum.contraction(ring.rounds("chebyshev-interval", 24)), 1.5e-4, 5e-6);
  EXPECT_NEAR(ring.spectrum.contraction(ring.rounds("chebyshev", 35)), 1.2e-4, 5e-6);
}

TEST(NetworkRounds, an_unknown_gossip) {
  expect_words(refusal([] { make(16, "ring").rounds("chebychev", 2); }), {"method.gossip", "chebyshev"});
}

TEST(NetworkOptions, fallbacks_are_the_configs) {
  const Settings network = settings({});
  EXPECT_EQ(network.text("graph"), "ring");
  EXPECT_EQ(network.text("weights"), "metropolis");
  EXPECT_EQ(network.integer("neighbours"), 3);
  EXPECT_FALSE(network.flag("lazy"));
  EXPECT_EQ(make_network(16, network, 1).graph.edges(), 16);
}

}  // namespace
}  // namespace doc2s::network_tests
