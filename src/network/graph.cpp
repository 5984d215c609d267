#include "doc2s/network/graph.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

void check_edge(int clients, const Graph::Edge& edge) {
  const auto [a, b] = edge;
  if (std::min(a, b) < 0 || std::max(a, b) >= clients)
    throw Error(fmt::format("the edge {}–{} leaves the clients 0 to {}", a, b, clients - 1));
  if (a == b) throw Error(fmt::format("client {} is joined to itself", a));
}

// Both directions of each edge, sorted, without duplicates.
std::vector<Graph::Edge> arcs_of(int clients, const std::vector<Graph::Edge>& edges) {
  std::vector<Graph::Edge> arcs;
  arcs.reserve(2 * edges.size());
  for (const auto& edge : edges) {
    check_edge(clients, edge);
    arcs.push_back(edge);
    arcs.emplace_back(edge.second, edge.first);
  }
  std::sort(arcs.begin(), arcs.end());
  arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
  return arcs;
}

}  // namespace

Graph::Graph(int clients, const std::vector<Edge>& edges) : offsets_(static_cast<std::size_t>(clients) + 1) {
  const auto arcs = arcs_of(clients, edges);
  neighbours_.reserve(arcs.size());
  for (const auto& [from, to] : arcs) {
    ++offsets_[from + 1];
    neighbours_.push_back(to);
  }
  for (int i = 0; i < clients; ++i) offsets_[i + 1] += offsets_[i];
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

int Graph::diameter() const {
  int longest = 0;
  for (int i = 0; i < clients(); ++i) {
    const auto hops = hops_from(i);
    longest = std::max(longest, *std::max_element(hops.begin(), hops.end()));
  }
  return longest;
}

double Graph::reach(int rounds) const {
  Index reached = 0;
  for (int i = 0; i < clients(); ++i) {
    const auto hops = hops_from(i, rounds);
    reached += std::count_if(hops.begin(), hops.end(), [](int h) { return h >= 0; });
  }
  const double n = clients();
  return static_cast<double>(reached) / (n * n);
}

}  // namespace doc2s
