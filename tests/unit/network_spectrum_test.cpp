// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "network_helpers.hpp"

namespace doc2s::network_tests {
namespace {

constexpr double pi = std::numbers::pi;

Network make(int clients, const std::string& graph, const std::vector<Given>& more = {}) {
  return make_network(clients, graph_settings(graph, more), 1);
}

// λ of a ring whose clients average over k, mode m: (1 + 2 Σ_j cos(2π j m / n)) / k.
double ring_eigenvalue(int n, int k, int m) {
  double sum = 1;
  for (int j = 1; j <= k / 2; ++j) sum += 2 * std::cos(2 * pi * j * m / n);
  return sum / k;
}

std::vector<double> ring_eigenvalues(int n, int k) {
  std::vector<double> all;
  for (int m = 1; m < n; ++m) all.push_back(ring_eigenvalue(n, k, m));
  return all;
}

// λ of the path with Metropolis' weights, n ≥ 3: 1 − (2 − 2 cos(π m / n))/3.
std::vector<double> path_eigenvalues(int n) {
  std::vector<double> all;
  for (int m = 1; m < n; ++m) all.push_back(1 - (2 - 2 * std::cos(pi * m / n)) / 3);
  return all;
}

std::vector<double> torus_eigenvalues(int rows, int columns) {
  std::vector<double> all;
  for (int a = 0; a < rows; ++a)
    for (int b = 0; b < columns; ++b)
      if (a + b > 0)
        all.push_back((1 + 2 * std::cos(2 * pi * a / rows) + 2 * std::cos(2 * pi * b / columns)) / 5);
  return all;
}

std::vector<double> hypercube_eigenvalues(int dimension) {
  std::vector<double> all;
  for (int weight = 1; weight <= dimension; ++weight) all.push_back(1 - 2.0 * weight / (dimension + 1));
  return all;
}

// ρ_R from a list of eigenvalues, by the recurrence as the paper has it.
double contraction_of(const std::vector<double>& eigenvalues, int R, double phi) {
  double largest = 0;
  for (const double lambda : eigenvalues) {
    std::vector<double> q{1, 1};
    for (int r = 0; r < R; ++r) q.push_back((1 + phi) * lambda * q[r + 1] - phi * q[r]);
    largest = std::max(largest, std::abs(q.back()));
  }
  return largest;
}

double phi_of(double lambda2) {
  const double root = std::sqrt(1 - lambda2 * lambda2);
  return (1 - root) / (1 + root);
}

void expect_spectrum(const Spectrum& found, const std::vector<double>& expected, double rho_tolerance) {
  const auto [least, largest] = std::minmax_element(expected.begin(), expected.end());
  EXPECT_NEAR(found.lambda2(), *largest, 1e-10);
  EXPECT_NEAR(found.lambda_min(), *least, 1e-10);
  EXPECT_NEAR(found.phi(), phi_of(*largest), 1e-6);
  for (const int R : {1, 2, 3, 4, 7, 20, 60}) {
    EXPECT_NEAR(found.contraction({R, found.phi()}), contraction_of(expected, R, found.phi()), rho_tolerance)
        << R;
    EXPECT_NEAR(found.contraction({R, 0}), contraction_of(expected, R, 0), 1e-8) << R;
    EXPECT_GE(found.contraction_bound({R, found.phi()}), contraction_of(expected, R, found.phi()) - 1e-9)
        << R;
  }
}

TEST(NetworkSpectrum, the_papers_four_rings) {
  const std::pair<int, double> rings[] = {{3, 0.0507}, {5, 0.1476}, {7, 0.2818}, {9, 0.4414}};
  for (const auto& [neighbours, gamma] : rings)
    EXPECT_NEAR(make(16, "ring", {whole("neighbours", neighbours)}).spectrum.gamma(), gamma, 5e-5)
        << neighbours;
  EXPECT_NEAR(make(16, "ring").spectrum.lambda_min(), -1.0 / 3, 1e-14);
}

TEST(NetworkSpectrum, closed_forms_of_few_clients) {
  for (const int n : {3, 8, 16, 33}) expect_spectrum(make(n, "ring").spectrum, ring_eigenvalues(n, 3), 1e-10);
  expect_spectrum(make(21, "ring", {whole("neighbours", 9)}).spectrum, ring_eigenvalues(21, 9), 1e-10);
  expect_spectrum(make(40, "path", {text("weights", "metropolis")}).spectrum, path_eigenvalues(40), 1e-10);
  expect_spectrum(make(35, "torus").spectrum, torus_eigenvalues(5, 7), 1e-10);
  expect_spectrum(make(64, "hypercube").spectrum, hypercube_eigenvalues(6), 1e-10);
  expect_spectrum(make(12, "complete").spectrum, {0}, 1e-10);
  expect_spectrum(make(2, "complete").spectrum, {0}, 1e-10);
}

TEST(NetworkSpectrum, closed_forms_of_many_clients) {
  expect_spectrum(make(700, "ring").spectrum, ring_eigenvalues(700, 3), 1e-5);
  expect_spectrum(make(2000, "path", {text("weights", "metropolis")}).spectrum, path_eigenvalues(2000), 1e-5);
  expect_spectrum(make(1012, "torus").spectrum, torus_eigenvalues(23, 44), 1e-5);
  expect_spectrum(make(1024, "hypercube").spectrum, hypercube_eigenvalues(10), 1e-7);
  expect_spectrum(make(700, "complete").spectrum, {0}, 1e-10);
}

TEST(NetworkSpectrum, a_tiny_gap_is_known_to_many_digits) {
  const double expected = (2 - 2 * std::cos(2 * pi / 4096)) / 3;
  EXPECT_NEAR(make(4096, "ring").spectrum.gamma() / expected, 1, 1e-7);
}

TEST(NetworkSpectrum, both_ways_agree_on_every_graph) {
  for (const auto& kind : graph_kinds()) {
    if (kind.name == "file") continue;
    for (const bool lazily : {false, true}) {
      SCOPED_TRACE(kind.name + (lazily ? ", lazy" : ""));
      const Network network = make(64, kind.name, {text("weights", "metropolis"), {"lazy", Value(lazily)}});
      const Spectrum& few = network.spectrum;
      const Spectrum many(network.P, 0);
      EXPECT_NEAR(few.lambda2(), many.lambda2(), 1e-9);
      EXPECT_NEAR(few.lambda_min(), many.lambda_min(), 1e-9);
      for (const int R : {1, 2, 3, 5, 9, 40}) {
        EXPECT_NEAR(few.contraction({R, few.phi()}), many.contraction({R, few.phi()}), 1e-5) << R;
        EXPECT_GE(many.contraction_bound({R, few.phi()}), few.contraction({R, few.phi()}) - 1e-9) << R;
      }
    }
  }
}

TEST(NetworkSpectrum, the_closed_form_agrees_with_a_search) {
  const std::vector<std::pair<std::string, int>> shapes = {
      {"ring", 601},  {"ring", 1024},      {"torus", 1024},  {"torus", 1250},
      {"torus", 602}, {"hypercube", 1024}, {"complete", 640}};
  for (const auto& [graph, n] : shapes)
    for (const bool lazily : {false, true}) {
      SCOPED_TRACE(graph + " of " + std::to_string(n) + (lazily ? ", lazy" : ""));
      const Network network = make(n, graph, {{"lazy", Value(lazily)}});
      const Spectrum searched(network.P);
      EXPECT_FALSE(network.spectrum.needs_search());
      EXPECT_TRUE(searched.needs_search());
      EXPECT_NEAR(network.spectrum.lambda2(), searched.lambda2(), 1e-9);
      EXPECT_NEAR(network.spectrum.lambda_min(), searched.lambda_min(), 1e-9);
      EXPECT_EQ(network.spectrum.phi(), searched.phi());  // a trajectory's bits depend on it
      const Rounds rounds{5, searched.phi()};
      EXPECT_NEAR(network.spectrum.contraction(rounds), searched.contraction(rounds), 2e-5);
    }
}

TEST(NetworkSpectrum, rings_with_many_neighbours_in_closed_form) {
  for (const int neighbours : {5, 9, 301, 699, 701})
    expect_spectrum(make(701, "ring", {whole("neighbours", neighbours)}).spectrum,
                    ring_eigenvalues(701, neighbours), 1e-8);
}

TEST(NetworkSpectrum, a_million_clients) {
  const int n = 1'000'000;
  const Network ring = make(n, "ring"), torus = make(n, "torus");
  EXPECT_NEAR(ring.spectrum.gamma() / (4 * std::pow(std::sin(pi / n), 2) / 3), 1, 1e-12);
  EXPECT_NEAR(torus.spectrum.gamma() / (4 * std::pow(std::sin(pi / 1000), 2) / 5), 1, 1e-12);
  EXPECT_EQ(ring.graph.diameter(), 500'000);
  EXPECT_EQ(torus.graph.diameter(), 1000);
  EXPECT_DOUBLE_EQ(torus.graph.reach(2), 13.0 / n);
  EXPECT_EQ(torus.accepted_rounds("plain", 2, "").count, 2);
  EXPECT_LT(ring.spectrum.phi(), 1);
}

TEST(NetworkSpectrum, edges_beyond_the_memory_are_refused) {
  try {
    make(1'000'000, "complete");
    FAIL();
  } catch (const MachineError& error) {
    expect_words(error.what(), {"network.graph", "edges", "1000000 clients", "memory"});
  }
}

TEST(NetworkSpectrum, the_mean_is_left_out_once_where_other_eigenvalues_equal_it_or_zero) {
  const Weights two_islands(
      {{{0, 0.5}, {1, 0.5}}, {{0, 0.5}, {1, 0.5}}, {{2, 0.5}, {3, 0.5}}, {{2, 0.5}, {3, 0.5}}});
  EXPECT_NEAR(Spectrum(two_islands).lambda2(), 1, 1e-14);
  EXPECT_NEAR(Spectrum(two_islands).lambda_min(), 0, 1e-14);
  const Weights all_negative({{{0, 0.3}, {1, 0.7}}, {{0, 0.7}, {1, 0.3}}});
  EXPECT_NEAR(Spectrum(all_negative).lambda2(), -0.4, 1e-14);
  EXPECT_NEAR(Spectrum(all_negative).contraction({3, 0}), 0.064, 1e-14);
}

TEST(NetworkSpectrum, a_single_client) {
  for (const char* kind : {"complete", "path", "star"}) {
    const Network alone = make(1, kind);
    EXPECT_EQ(alone.P.at(0, 0), 1);
    EXPECT_EQ(alone.spectrum.lambda2(), 0);
    EXPECT_EQ(alone.spectrum.gamma(), 1);
    EXPECT_EQ(alone.spectrum.contraction({2, alone.spectrum.phi()}), 0);
    EXPECT_EQ(alone.accepted_rounds("chebyshev", 1, "method.R").phi, 0);
  }
  EXPECT_EQ(make(1, "ring", {whole("neighbours", 1)}).spectrum.gamma(), 1);
}

TEST(NetworkSpectrum, a_factor_is_what_gossip_does_to_an_eigenvector) {
  const Rounds rounds{2, 0.5};
  EXPECT_DOUBLE_EQ(rounds.factor(0.8), 1.5 * 0.8 * (1.5 * 0.8 - 0.5) - 0.5);
  EXPECT_DOUBLE_EQ(rounds.factor(1), 1);
  EXPECT_DOUBLE_EQ((Rounds{3, 0}.factor(-0.5)), -0.125);
  EXPECT_EQ((Rounds{0, 0.5}.factor(0.3)), 1);
}

}  // namespace
}  // namespace doc2s::network_tests
