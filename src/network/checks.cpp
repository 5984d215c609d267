// SPDX-License-Identifier: Apache-2.0
#include "checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace doc2s {

void check_clients(int clients) {
  if (clients < 1)
    throw Error(fmt::format("{} clients are too few", clients), "clients.count", "at least 1 is needed");
}

void check_connected(const Graph& graph, const std::string& where) {
  const auto hops = graph.hops_from(0);
  const auto lost = std::find(hops.begin(), hops.end(), -1);
  if (lost == hops.end()) return;
  throw Error(
      fmt::format("the graph is not connected: it has {} components, and client {} cannot be reached from "
                  "client 0",
                  graph.components(), lost - hops.begin()),
      where, "add edges that join the components");
}

namespace {

void check_symmetric(const Weights& P, int i, const Weights::Entry& entry, const std::string& where) {
  const double here = entry.weight, there = P.at(entry.client, i);
  if (std::abs(here - there) <= weights_tolerance && (here > 0) == (there > 0)) return;
  throw Error(
      fmt::format("the matrix is not symmetric: row {} column {} is {}, row {} column {} is {}, which differ "
                  "by {:.3g}",
                  i, entry.client, here, entry.client, i, there, std::abs(here - there)),
      where, "clients are numbered from 0; make both entries equal");
}

}  // namespace

void check_doubly_stochastic(const Weights& P, const std::string& where) {
  for (int i = 0; i < P.clients(); ++i) {
    double sum = 0;
    for (const auto& entry : P.row(i)) {
      if (!(entry.weight >= 0))
        throw Error(fmt::format("row {} column {} is {}, and weights are not negative", i, entry.client,
                                entry.weight),
                    where);
      check_symmetric(P, i, entry, where);
      sum += entry.weight;
    }
    if (!(std::abs(sum - 1) <= weights_tolerance))
      throw Error(
          fmt::format("the matrix is not doubly stochastic: row {} sums to {:.12g}, not to 1", i, sum), where,
          std::abs(sum - 1) < 1e-2 ? "write the numbers with more digits" : "rows are numbered from 0");
  }
}

void check_pattern(const Weights& P, const Graph& graph, const std::string& where) {
  for (int i = 0; i < P.clients(); ++i) {
    if (!(P.at(i, i) > 0))
      throw Error(fmt::format("the diagonal of row {} is {}; it must be positive", i, P.at(i, i)), where,
                  "take network.lazy = true, which mixes with (I + P)/2");
    for (const auto& entry : P.row(i))
      if (entry.client != i && entry.weight > 0 && !graph.has_edge(i, entry.client))
        throw Error(fmt::format("row {} column {} is {}, and the graph has no edge {}–{}", i, entry.client,
                                entry.weight, i, entry.client),
                    where, "take network.graph = \"file\" without edges: then the matrix is the graph");
    for (const int j : graph.neighbours(i))
      if (!(P.at(i, j) > 0))
        throw Error(fmt::format("row {} column {} is zero, and the graph has an edge {}–{}", i, j, i, j),
                    where, "take network.graph = \"file\" without edges: then the matrix is the graph");
  }
}

}  // namespace doc2s
