// SPDX-License-Identifier: Apache-2.0
#include "waiting.hpp"

#include <algorithm>

#include "tour.hpp"

namespace doc2s {

namespace {

int next_on_the_way(const Graph& graph, const Trip& trip) {
  const int left = graph.hops(trip.from, trip.to);
  const auto near = graph.neighbours(trip.from);
  return *std::ranges::find_if(near, [&](int j) { return graph.hops(j, trip.to) == left - 1; });
}

}  // namespace

Tick rounds_to_arrive(const NetworkChange& change, std::vector<Trip> trips, Tick first) {
  const auto arrived = [](const Trip& trip) { return trip.from == trip.to; };
  Tick round = first;
  for (std::erase_if(trips, arrived); !trips.empty(); ++round) {
    for (Trip& trip : trips) {
      const int next = next_on_the_way(change.graph(), trip);
      if (change.up(change.number(trip.from, next), round)) trip.from = next;
    }
    std::erase_if(trips, arrived);
  }
  return round - first;
}

TreeRounds::TreeRounds(const NetworkChange& change) : change_(change) {
  const std::vector<int> parents = BreadthFirstTree::parents(change.graph()),
                         depths = change.graph().hops_from(0);
  levels_.resize(std::ranges::max(depths));
  for (int i = 1; i < change.graph().clients(); ++i)
    levels_[depths[i] - 1].push_back(change.number(i, parents[i]));
}

Tick TreeRounds::through(const std::vector<Index>& level, Tick first) const {
  Tick round = first;
  for (std::vector<Index> left = level; !left.empty(); ++round)
    std::erase_if(left, [&](Index edge) { return change_.up(edge, round); });
  return round;
}

Tick TreeRounds::up_and_down(Tick first) const {
  Tick round = first;
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) round = through(*level, round);
  for (const auto& level : levels_) round = through(level, round);
  return round - first;
}

}  // namespace doc2s
