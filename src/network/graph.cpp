// SPDX-License-Identifier: Apache-2.0
#include "doc2s/network/graph.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "doc2s/base/error.hpp"
#include "hop_table.hpp"

namespace doc2s {

namespace {

void check_edge(int clients, const Graph::Edge& edge) {
  const auto [a, b] = edge;
  if (std::min(a, b) < 0 || std::max(a, b) >= clients)
    throw Error(fmt::format("the edge {}–{} leaves the clients 0 to {}", a, b, clients - 1));
  if (a == b) throw Error(fmt::format("client {} is joined to itself", a));
}

// The end of each client's part if every edge is put down at both of its ends.
std::vector<Index> ends_of_parts(int clients, const std::vector<Graph::Edge>& edges) {
  std::vector<Index> ends(static_cast<std::size_t>(clients) + 1, 0);
  for (const auto& edge : edges) {
    check_edge(clients, edge);
    ++ends[edge.first + 1];
    ++ends[edge.second + 1];
  }
  for (int i = 0; i < clients; ++i) ends[i + 1] += ends[i];
  return ends;
}

}  // namespace

Graph::Graph(int clients, const std::vector<Edge>& edges, Shape shape)
    : offsets_(ends_of_parts(clients, edges)), neighbours_(2 * edges.size()), shape_(shape) {
  if (!shape_.closed_form()) table_ = std::make_shared<HopTable>(clients);
  std::vector<Index> next(offsets_.begin(), offsets_.end() - 1);
  for (const auto& [a, b] : edges) {
    neighbours_[next[a]++] = b;
    neighbours_[next[b]++] = a;
  }
  drop_duplicates();
}

// Sorts each client's neighbours and moves them up over those that were given twice.
void Graph::drop_duplicates() {
  auto kept = neighbours_.begin();
  Index begin = 0;
  for (int i = 0; i < clients(); ++i) {
    const auto first = neighbours_.begin() + begin, last = neighbours_.begin() + offsets_[i + 1];
    begin = offsets_[i + 1];
    std::sort(first, last);
    const auto end = std::unique(first, last);
    kept = kept == first ? end : std::move(first, end, kept);
    offsets_[i + 1] = kept - neighbours_.begin();
  }
  neighbours_.erase(kept, neighbours_.end());
}

std::span<const int> Graph::neighbours(int client) const {
  return std::span(neighbours_).subspan(offsets_[client], offsets_[client + 1] - offsets_[client]);
}

bool Graph::has_edge(int a, int b) const {
  const auto others = neighbours(a);
  return std::binary_search(others.begin(), others.end(), b);
}

std::vector<int> Graph::hops_from(int client, int most) const {
  std::vector<int> hops(clients(), -1), queue{client};
  hops[client] = 0;
  // Stops when all clients are reached; on a dense graph this visits few edges.
  for (std::size_t next = 0; next < queue.size() && std::ssize(queue) < clients(); ++next) {
    const int at = queue[next];
    if (hops[at] >= most) break;
    for (const int other : neighbours(at))
      if (hops[other] < 0) {
        hops[other] = hops[at] + 1;
        queue.push_back(other);
      }
  }
  return hops;
}

int Graph::components() const {
  std::vector<bool> seen(clients(), false);
  int count = 0;
  for (int start = 0; start < clients(); ++start) {
    if (seen[start]) continue;
    ++count;
    seen[start] = true;
    std::vector<int> open{start};
    while (!open.empty()) {
      const int at = open.back();
      open.pop_back();
      for (const int other : neighbours(at))
        if (!seen[other]) {
          seen[other] = true;
          open.push_back(other);
        }
    }
  }
  return count;
}

bool Graph::connected() const {
  const auto hops = hops_from(0);
  return std::find(hops.begin(), hops.end(), -1) == hops.end();
}

}  // namespace doc2s
