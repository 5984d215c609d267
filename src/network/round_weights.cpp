// SPDX-License-Identifier: Apache-2.0
#include "round_weights.hpp"

namespace doc2s {

RoundWeights::RoundWeights(const NetworkChange& change)
    : change_(change), up_(change.edges().size()), degree_(change.graph().clients()) {
  for (int i = 0; i < clients(); ++i)
    for (const int j : change.graph().neighbours(i)) edge_at_.push_back(change.number(i, j));
}

void RoundWeights::go_to(Tick round) {
  const Tick known = round_ <= round ? round_ : -1;
  take([&](Index edge) { return change_.up(edge, round, known, up_[edge]); });
  round_ = round;
}

bool RoundWeights::connected() const {
  std::vector<Graph::Edge> edges;
  for (Index edge = 0; edge < std::ssize(up_); ++edge)
    if (up_[edge]) edges.push_back(change_.edges()[edge]);
  return Graph(clients(), edges).connected();
}

Weights RoundWeights::matrix() const {
  Weights::Rows rows(clients());
  for (int i = 0; i < clients(); ++i) {
    double others = 0;
    each(i, [&](int j, double weight) {
      rows[i].push_back({j, weight});
      others += weight;
    });
    rows[i].insert(std::ranges::lower_bound(rows[i], i, {}, &Weights::Entry::client), {i, 1 - others});
  }
  return Weights(rows);
}

}  // namespace doc2s
