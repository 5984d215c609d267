// SPDX-License-Identifier: Apache-2.0
#include "graph_makers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/long_work.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/random.hpp"

namespace doc2s {

namespace {

using Edges = std::vector<Graph::Edge>;

constexpr int most_draws = 1000;

void now_and_then(const LongWork& work, std::size_t done, std::size_t all) {
  if (done % 4096 == 0) work.go_on(static_cast<double>(done) / static_cast<double>(all));
}

// The first connected graph from `draw`; none after `draws` attempts.
template <class Draw>
std::optional<Graph> first_connected(int clients, std::uint64_t seed, int draws, Draw draw) {
  const LongWork work("drawing the graph");
  for (int attempt = 0; attempt < draws; ++attempt) {
    Random random(seed, Purpose::graph, 0, attempt);
    Graph graph(clients, draw(random, work));
    if (graph.connected()) return graph;
  }
  return std::nullopt;
}

// Edges of a simple graph, with adjacency for lookup.
class Wiring {
 public:
  explicit Wiring(int clients) : neighbours_(clients) {}

  void add(int a, int b) {
    edges_.emplace_back(a, b);
    join(a, b);
  }
  bool joined(int a, int b) const {
    const auto& near = neighbours_[a];
    return std::find(near.begin(), near.end(), b) != near.end();
  }
  void replace(std::size_t edge, int a, int b) {
    part(edges_[edge].first, edges_[edge].second);
    edges_[edge] = {a, b};
    join(a, b);
  }
  std::size_t degree(int client) const { return neighbours_[client].size(); }
  const Edges& edges() const { return edges_; }

 private:
  void join(int a, int b) {
    neighbours_[a].push_back(b);
    neighbours_[b].push_back(a);
  }
  void part(int a, int b) {
    std::erase(neighbours_[a], b);
    std::erase(neighbours_[b], a);
  }

  Edges edges_;
  std::vector<std::vector<int>> neighbours_;
};

// Each client is linked to its degree/2 successors and predecessors, and to the opposite client if the degree
// is odd.
Wiring circulant(int clients, int degree) {
  Wiring wiring(clients);
  for (int step = 1; step <= degree / 2; ++step)
    for (int i = 0; i < clients; ++i) wiring.add(i, (i + step) % clients);
  if (degree % 2 == 1)
    for (int i = 0; i < clients / 2; ++i) wiring.add(i, i + clients / 2);
  return wiring;
}

// Replaces a–b, c–d by a–d, c–b, which keeps every degree. Does nothing if that makes a loop or a double
// edge.
void try_to_switch(Wiring& wiring, Random& random) {
  const std::size_t count = wiring.edges().size();
  const std::size_t first = random.below(count), second = random.below(count);
  const auto [a, b] = wiring.edges()[first];
  auto [c, d] = wiring.edges()[second];
  if (random.below(2) == 1) std::swap(c, d);
  if (first == second || a == d || c == b || wiring.joined(a, d) || wiring.joined(c, b)) return;
  wiring.replace(first, a, d);
  wiring.replace(second, c, b);
}

}  // namespace

double checked_regular(int clients, const Settings& network) {
  const auto degree = network.integer("degree");
  const std::string where = network.where("degree");
  if (degree < 1 || degree >= clients)
    throw Error(fmt::format("degree {} does not fit {} client{}", degree, clients, clients == 1 ? "" : "s"),
                where,
                clients == 1 ? "take network.graph = \"complete\""
                             : fmt::format("it must be from 1 to {}", clients - 1));
  if (degree % 2 == 1 && clients % 2 == 1)
    throw Error(fmt::format("{} clients cannot all have degree {}: the product is odd", clients, degree),
                where, "take an even degree or an even number of clients");
  if (degree == 1 && clients > 2)
    throw Error(fmt::format("{} clients of degree 1 fall into pairs", clients), where,
                "take degree = 2 or more");
  return 0.5 * clients * static_cast<double>(degree);
}

// Starts from a circulant graph and makes 20 random switches per edge: nearly uniform over all simple regular
// graphs.
Graph random_regular_graph(int clients, const Settings& network, std::uint64_t seed) {
  const auto degree = static_cast<int>(network.integer("degree"));
  auto found = first_connected(clients, seed, most_draws, [&](Random& random, const LongWork& work) {
    Wiring wiring = circulant(clients, degree);
    const std::size_t switches = 20 * wiring.edges().size();
    for (std::size_t k = 0; k < switches; ++k) {
      now_and_then(work, k, switches);
      try_to_switch(wiring, random);
    }
    return wiring.edges();
  });
  if (found) return *std::move(found);
  throw Error(fmt::format("none of {} random graphs of degree {} on {} clients was connected", most_draws,
                          degree, clients),
              network.where("degree"), "take degree = 3 or more");
}

double likely_connected(int clients) {
  return clients > 1 ? std::min(1.0, 2 * std::log(static_cast<double>(clients)) / clients) : 1;
}

Graph erdos_renyi_graph(int clients, const Settings& network, std::uint64_t seed) {
  const double n = clients, p = network.has("p") ? network.real("p") : likely_connected(clients);
  // fewer draws for many clients: at most about 2·10⁸ random numbers
  const int draws = static_cast<int>(std::clamp(4e8 / (n * n), 20.0, static_cast<double>(most_draws)));
  auto found = first_connected(clients, seed, draws, [&](Random& random, const LongWork& work) {
    Edges edges;
    for (int i = 0; i < clients; ++i) {
      work.go_on(1 - (n - i) * (n - i) / (n * n));
      for (int j = i + 1; j < clients; ++j)
        if (random.uniform() < p) edges.emplace_back(i, j);
    }
    return edges;
  });
  if (found) return *std::move(found);
  throw Error(
      fmt::format("none of {} random graphs with p = {} on {} clients was connected", draws, p, clients),
      network.where("p"),
      fmt::format("connected ones become likely above p = ln n / n = {:.3g}", std::log(n) / n));
}

double checked_watts_strogatz(int clients, const Settings& network) {
  const auto k = network.integer("k");
  if (k < 2 || k % 2 == 1 || k >= clients)
    throw Error(fmt::format("k = {} does not fit a Watts–Strogatz graph of {} client{}", k, clients,
                            clients == 1 ? "" : "s"),
                network.where("k"),
                clients < 3 ? "take network.graph = \"complete\""
                            : fmt::format("it must be an even number from 2 to {}", (clients - 1) / 2 * 2));
  return 0.5 * clients * static_cast<double>(k);
}

namespace {

// Moves the far end of the edge to a client that is not yet a neighbour, if there is one.
void rewire(Wiring& wiring, std::size_t edge, int clients, Random& random) {
  const int from = wiring.edges()[edge].first;
  if (static_cast<int>(wiring.degree(from)) == clients - 1) return;
  int to;
  do to = static_cast<int>(random.below(clients));
  while (to == from || wiring.joined(from, to));
  wiring.replace(edge, from, to);
}

}  // namespace

Graph watts_strogatz_graph(int clients, const Settings& network, std::uint64_t seed) {
  const double beta = network.real("beta");
  const auto k = static_cast<int>(network.integer("k"));
  auto found = first_connected(clients, seed, most_draws, [&](Random& random, const LongWork& work) {
    Wiring wiring = circulant(clients, k);
    for (std::size_t edge = 0; edge < wiring.edges().size(); ++edge) {
      now_and_then(work, edge, wiring.edges().size());
      if (random.uniform() < beta) rewire(wiring, edge, clients, random);
    }
    return wiring.edges();
  });
  if (found) return *std::move(found);
  throw Error(
      fmt::format("none of {} Watts–Strogatz graphs with k = {}, beta = {} on {} clients was connected",
                  most_draws, k, beta, clients),
      network.where("k"), "take a larger k or a smaller beta");
}

}  // namespace doc2s
