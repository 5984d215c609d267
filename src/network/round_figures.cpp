// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "eigenvalues.hpp"
#include "round_weights.hpp"

namespace doc2s {

namespace {

constexpr int most_clients_figured = 600;  // whose eigenvalues take less than a second
constexpr double most_products = 2e8;      // of two weights
constexpr Index most_trial_rounds = 10'000, fewest_trial_rounds = 100;

// Σ_t P_tᵀP_t as n×n numbers.
void add_square(const Weights& P, std::vector<double>& sum) {
  for (int i = 0; i < P.clients(); ++i)
    for (const auto& [j, p_ij] : P.row(i))
      for (const auto& [k, p_ik] : P.row(i)) sum[Index{j} * P.clients() + k] += p_ij * p_ik;
}

double root_of_second(const std::vector<double>& sum, int n, Index draws) {
  if (n == 1) return 0;
  Weights::Rows rows(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) rows[i].push_back({j, sum[Index{i} * n + j] / static_cast<double>(draws)});
  return std::sqrt(std::max(0.0, all_eigenvalues(Weights(rows)).back()));
}

double products_in_a_round(const Graph& graph) {
  double sum = 0;
  for (int i = 0; i < graph.clients(); ++i) sum += std::pow(graph.degree(i) + 1, 2);
  return sum;
}

}  // namespace

std::optional<RoundFigures> figures_of(const NetworkChange& change) {
  const int n = change.graph().clients();
  const double affordable = most_products / products_in_a_round(change.graph());
  if (n > most_clients_figured || affordable < fewest_trial_rounds) return {};
  const Index draws =
      change.period() > 0 ? change.period() : std::min(most_trial_rounds, static_cast<Index>(affordable));
  RoundWeights P(change);
  std::vector<double> sum(change.independent() ? Index{n} * n : 0);
  Index connected = 0;
  for (Index draw = 0; draw < draws; ++draw) {
    P.take([&](Index edge) { return change.drawn_up(edge, draw); });
    connected += P.connected() ? 1 : 0;
    if (change.independent()) add_square(P.matrix(), sum);
  }
  RoundFigures figures{draws, static_cast<double>(connected) / static_cast<double>(draws), {}};
  if (change.independent()) figures.contraction = root_of_second(sum, n, draws);
  return figures;
}

}  // namespace doc2s
