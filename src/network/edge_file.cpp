// SPDX-License-Identifier: Apache-2.0
#include "graph_makers.hpp"

#include <fmt/format.h>

#include "doc2s/base/error.hpp"
#include "text_table.hpp"

namespace doc2s {

namespace {

int client_in(const TableLine& line, std::size_t word, int clients) {
  const std::int64_t client = line.whole_number(word);
  if (client >= 0 && client < clients) return static_cast<int>(client);
  throw Error(fmt::format("there is no client {}: the {} clients are numbered from 0 to {}", client, clients,
                          clients - 1),
              line.where,
              client < 0 ? "" : fmt::format("fix the line, or set clients.count = {}", client + 1));
}

Graph::Edge edge_in(const TableLine& line, int clients) {
  if (line.words.size() != 2)
    throw Error(fmt::format("an edge needs two client numbers, found {}", line.words.size()), line.where,
                "write one edge per line, such as `0 1`");
  const Graph::Edge edge(client_in(line, 0, clients), client_in(line, 1, clients));
  if (edge.first == edge.second)
    throw Error(fmt::format("client {} is joined to itself", edge.first), line.where,
                "leave the line out: every client counts itself anyway");
  return edge;
}

}  // namespace

Graph edge_file_graph(int clients, const Settings& network) {
  if (!network.has("edges"))
    throw Error("no file is given for network.graph = \"file\"", network.where("edges"),
                "give the path of an edge list, two client numbers per line");
  std::vector<Graph::Edge> edges;
  each_line(network, "edges", [&](const TableLine& line) { edges.push_back(edge_in(line, clients)); });
  return {clients, edges};
}

}  // namespace doc2s
