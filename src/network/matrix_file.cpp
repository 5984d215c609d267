#include "matrix_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "checks.hpp"
#include "text_table.hpp"

namespace doc2s {

namespace {

std::vector<Weights::Entry> row_in(const TableLine& line, int row, int clients) {
  if (row >= clients || std::ssize(line.words) != clients)
    throw Error(row >= clients ? fmt::format("here row {} begins, and there are {} clients", row + 1, clients)
                               : fmt::format("the row of client {} has {} numbers, and there are {} clients",
                                             row, line.words.size(), clients),
                line.where, "the matrix has a row and a column for each of clients.count");
  std::vector<Weights::Entry> entries;
  for (int j = 0; j < clients; ++j) {
    const double weight = line.real(j);
    if (weight < 0) throw Error(fmt::format("{} is negative, and weights are not", weight), line.where);
    if (weight > 0 || j == row) entries.push_back({j, weight});
  }
  return entries;
}

Weights read_rows(int clients, const std::string& path) {
  Weights::Rows rows;
  each_line(path, [&](const TableLine& line) {
    rows.push_back(row_in(line, static_cast<int>(rows.size()), clients));
  });
  if (std::ssize(rows) < clients)
    throw Error(
        fmt::format("the matrix has {} rows, and there are {} clients", rows.size(), clients), path,
        rows.empty() ? "" : fmt::format("add the missing rows, or set clients.count = {}", rows.size()));
  return Weights(rows);
}

// Removes deviations up to 1e−9: (P + Pᵀ)/2, with the diagonal set so that rows sum to 1.
Weights symmetrised(const Weights& P) {
  Weights::Rows rows(P.clients());
  for (int i = 0; i < P.clients(); ++i) {
    double others = 0;
    const auto add = [&](int j) {
      rows[i].push_back({j, (P.at(i, j) + P.at(j, i)) / 2});
      others += rows[i].back().weight;
    };
    for (const auto& entry : P.row(i))
      if (entry.client != i) add(entry.client);
    const double own = P.at(i, i);
    rows[i].push_back({i, own > weights_tolerance ? 1 - others : own});
    std::sort(rows[i].begin(), rows[i].end(),
              [](const auto& a, const auto& b) { return a.client < b.client; });
  }
  return Weights(rows);
}

}  // namespace

Weights read_matrix(int clients, const Settings& network) {
  if (!network.has("matrix"))
    throw Error("no file is given for network.weights = \"file\"", network.where("matrix"),
                "give the path of a matrix, one row per line");
  const std::string& path = network.text("matrix");
  const Weights P = read_rows(clients, path);
  check_doubly_stochastic(P, path);
  return symmetrised(P);
}

Graph pattern_of(const Weights& P) {
  std::vector<Graph::Edge> edges;
  for (int i = 0; i < P.clients(); ++i)
    for (const auto& entry : P.row(i))
      if (entry.client != i && entry.weight > 0) edges.emplace_back(i, entry.client);
  return {P.clients(), edges};
}

}  // namespace doc2s
