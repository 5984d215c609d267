// SPDX-License-Identifier: Apache-2.0
#include "change.hpp"

#include <algorithm>

namespace doc2s {

NetworkChange::NetworkChange(Graph graph, bool lazy) : graph_(std::move(graph)), lazy_(lazy) {
  edges_.reserve(graph_.edges());
  for (int a = 0; a < graph_.clients(); ++a)
    for (const int b : graph_.neighbours(a))
      if (a < b) edges_.emplace_back(a, b);
}

Index NetworkChange::number(int a, int b) const {
  return std::ranges::lower_bound(edges_, Graph::Edge(std::minmax(a, b))) - edges_.begin();
}

const std::optional<RoundFigures>& NetworkChange::figures() const {
  std::call_once(once_, [&] { figures_ = figures_of(*this); });
  return figures_;
}

}  // namespace doc2s
