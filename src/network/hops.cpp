// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_set>

#include "doc2s/network/graph.hpp"
#include "hop_table.hpp"

namespace doc2s {

namespace {

// The clients around one end of a search, a hop further with each step.
struct Front {
  explicit Front(int client) : seen{client}, edge{client} {}

  std::unordered_set<int> seen;
  std::vector<int> edge;
};

// Whether one more hop of `front` meets `other`.
bool meets(const Graph& graph, Front& front, const Front& other) {
  std::vector<int> further;
  for (const int at : front.edge)
    for (const int near : graph.neighbours(at)) {
      if (other.seen.contains(near)) return true;
      if (front.seen.insert(near).second) further.push_back(near);
    }
  front.edge.swap(further);
  return false;
}

// Each end in turn goes on by a hop, the one with fewer clients at its edge first.
int searched_hops(const Graph& graph, int a, int b) {
  Front here(a), there(b);
  for (int hops = 1; !here.edge.empty() && !there.edge.empty(); ++hops) {
    const bool first = here.edge.size() <= there.edge.size();
    if (meets(graph, first ? here : there, first ? there : here)) return hops;
  }
  return -1;
}

int largest(std::span<const int> hops) { return *std::max_element(hops.begin(), hops.end()); }

}  // namespace

// A row is shared by all clients where hops depend on b − a alone.
int Graph::hops(int a, int b) const {
  if (a == b) return 0;
  if (shape_.closed_form()) return shape_.hops(a, b);
  if (shape_.kind == Shape::Kind::exponential)
    return table_->row(*this, 0)[b < a ? b - a + clients() : b - a];
  return clients() <= HopTable::most_clients ? table_->row(*this, a)[b] : searched_hops(*this, a, b);
}

int Graph::depth() const {
  if (shape_.closed_form()) return shape_.depth();
  return shape_.kind == Shape::Kind::exponential ? largest(table_->row(*this, 0)) : largest(hops_from(0));
}

int Graph::diameter() const {
  if (shape_.closed_form()) return shape_.diameter();
  if (shape_.kind == Shape::Kind::exponential) return depth();
  int longest = 0;
  for (int i = 0; i < clients(); ++i) longest = std::max(longest, largest(hops_from(i)));
  return longest;
}

namespace {

Index searched_pairs(const Graph& graph, int rounds) {
  const auto from = [&](int client) {
    const auto hops = graph.hops_from(client, rounds);
    return Index{std::count_if(hops.begin(), hops.end(), [](int h) { return h >= 0; })};
  };
  if (graph.shape().kind == Shape::Kind::exponential) return graph.clients() * from(0);
  Index pairs = 0;
  for (int i = 0; i < graph.clients(); ++i) pairs += from(i);
  return pairs;
}

}  // namespace

double Graph::reach(int rounds) const {
  const double n = clients();
  const Index pairs = shape_.closed_form() ? shape_.pairs_within(rounds) : searched_pairs(*this, rounds);
  return static_cast<double>(pairs) / (n * n);
}

}  // namespace doc2s
