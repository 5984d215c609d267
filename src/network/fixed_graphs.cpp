// SPDX-License-Identifier: Apache-2.0
#include "graph_makers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

using Edges = std::vector<Graph::Edge>;

}  // namespace

double checked_ring(int clients, const Settings& network) {
  const auto k = network.integer("neighbours");
  const std::string where = network.where("neighbours");
  if (k < 1 || k % 2 == 0)
    throw Error(
        fmt::format("neighbours = {} (including the client itself) is not possible on a ring", k), where,
        "take an odd number such as 3 or 5: the client itself and as many on the left as on the right");
  if (k > clients)
    throw Error(fmt::format("{} neighbours (including the client itself) are more than the {} client{}", k,
                            clients, clients == 1 ? "" : "s"),
                where,
                "take fewer neighbours (an odd number), more clients, or network.graph = \"complete\"");
  if (k == 1 && clients > 1)
    throw Error(
        fmt::format("neighbours includes the client itself, so with 1 the {} clients are isolated", clients),
        where, clients == 2 ? "take network.graph = \"complete\"" : "take neighbours = 3 or more");
  return 0.5 * clients * static_cast<double>(k - 1);  // k is odd
}

Graph ring_graph(int clients, const Settings& network) {
  const auto half = static_cast<int>((network.integer("neighbours") - 1) / 2);
  Edges edges;
  edges.reserve(static_cast<std::size_t>(clients) * half);
  for (int i = 0; i < clients; ++i)
    for (int step = 1; step <= half; ++step) edges.emplace_back(i, (i + step) % clients);
  return {clients, edges, {Shape::Kind::ring, clients, 0, half}};
}

Graph complete_graph(int clients) {
  Edges edges;
  edges.reserve(static_cast<std::size_t>(clients) * (clients - 1) / 2);
  for (int i = 0; i < clients; ++i)
    for (int j = i + 1; j < clients; ++j) edges.emplace_back(i, j);
  return {clients, edges, {Shape::Kind::complete, clients}};
}

Graph star_graph(int clients) {
  Edges edges;
  for (int i = 1; i < clients; ++i) edges.emplace_back(0, i);
  return {clients, edges, {Shape::Kind::star, clients}};
}

Graph path_graph(int clients) {
  Edges edges;
  for (int i = 1; i < clients; ++i) edges.emplace_back(i - 1, i);
  return {clients, edges, {Shape::Kind::path, clients}};
}

std::vector<int> lattice_rows(int clients) {
  std::vector<int> rows;
  for (int r = 2; r <= clients / 2; ++r)
    if (clients % r == 0) rows.push_back(r);
  return rows;
}

int squarest(const std::vector<int>& rows, int clients) {
  int best = rows.front();
  for (const int r : rows)
    if (static_cast<Index>(r) * r <= clients) best = r;
  return best;
}

namespace {

std::string listed(const std::vector<int>& numbers) {
  std::vector<std::string> texts;
  for (const int number : numbers) texts.push_back(std::to_string(number));
  return joined(texts);
}

int rows_of(int clients, const Settings& network, const std::vector<int>& possible) {
  if (!network.has("rows")) return squarest(possible, clients);
  const auto rows = network.integer("rows");
  if (std::find(possible.begin(), possible.end(), rows) == possible.end())
    throw Error(fmt::format("{} rows do not make a lattice of {} clients", rows, clients),
                network.where("rows"), "take one of " + listed(possible));
  return static_cast<int>(rows);
}

}  // namespace

double checked_lattice(int clients, const Settings& network) {
  const auto possible = lattice_rows(clients);
  if (possible.empty())
    throw Error(fmt::format("{} clients do not form a {}: the number must be a product of two factors ≥ 2",
                            clients, network.text("graph")),
                network.where("graph"),
                fmt::format("take {} clients, or network.graph = \"{}\"", clients < 4 ? 4 : clients + 1,
                            network.text("graph") == "torus" ? "ring" : "path"));
  rows_of(clients, network, possible);
  return 2.0 * clients;
}

Graph lattice_graph(int clients, const Settings& network, bool wrapped) {
  const int rows = rows_of(clients, network, lattice_rows(clients)), columns = clients / rows;
  Edges edges;
  edges.reserve(2 * static_cast<std::size_t>(clients));
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const int at = r * columns + c;
      if (wrapped || r + 1 < rows) edges.emplace_back(at, (r + 1) % rows * columns + c);
      if (wrapped || c + 1 < columns) edges.emplace_back(at, r * columns + (c + 1) % columns);
    }
  return {clients, edges, {wrapped ? Shape::Kind::torus : Shape::Kind::grid, clients, rows}};
}

double checked_hypercube(int clients, const Settings& network) {
  const auto n = static_cast<unsigned>(clients);
  if (!std::has_single_bit(n))
    throw Error(fmt::format("a hypercube needs a power of two, and there are {} clients", clients),
                network.where("graph"),
                fmt::format("take {} or {} clients", std::bit_floor(n), std::bit_ceil(n)));
  return 0.5 * clients * (std::bit_width(n) - 1);
}

Graph hypercube_graph(int clients) {
  const auto n = static_cast<unsigned>(clients);
  Edges edges;
  edges.reserve(static_cast<std::size_t>(clients) / 2 * (std::bit_width(n) - 1));
  for (int i = 0; i < clients; ++i)
    for (Index bit = 1; bit < clients; bit *= 2)
      if ((i & bit) == 0) edges.emplace_back(i, static_cast<int>(i | bit));
  return {clients, edges, {Shape::Kind::hypercube, clients}};
}

// i ~ i ± 2^k mod n
Graph exponential_graph(int clients) {
  Edges edges;
  edges.reserve(static_cast<std::size_t>(clients) * std::bit_width(static_cast<unsigned>(clients - 1)));
  for (int i = 0; i < clients; ++i)
    for (Index step = 1; step < clients; step *= 2)
      edges.emplace_back(i, static_cast<int>((i + step) % clients));
  return {clients, edges, {Shape::Kind::exponential, clients}};
}

}  // namespace doc2s
