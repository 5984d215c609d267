// SPDX-License-Identifier: Apache-2.0
#include "matrix_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "checks.hpp"
#include "text_table.hpp"

namespace doc2s {

namespace {

[[noreturn]] void refuse_size(const std::string& what, const TableLine& line) {
  throw Error(what, line.where, "the matrix has a row and a column for each of clients.count");
}

double weight_in(const TableLine& line, double weight) {
  if (weight < 0) throw Error(fmt::format("{} is negative, and weights are not", weight), line.where);
  return weight;
}

std::vector<Weights::Entry> full_row(const TableLine& line, int row, int clients) {
  if (std::ssize(line.words) != clients)
    refuse_size(fmt::format("the row of client {} has {} numbers, and there are {} clients", row,
                            line.words.size(), clients),
                line);
  std::vector<Weights::Entry> entries;
  for (int j = 0; j < clients; ++j) {
    const double weight = weight_in(line, line.real(j));
    if (weight > 0 || j == row) entries.push_back({j, weight});
  }
  return entries;
}

// "3:0.5 4:0.25", columns ascending.
std::vector<Weights::Entry> sparse_row(const TableLine& line, int row, int clients) {
  std::map<int, double> weights{{row, 0}};
  for (const std::string_view word : line.words) {
    const std::size_t colon = std::min(word.find(':'), word.size());
    const TableLine pair{line.where, {word.substr(0, colon), word.substr(std::min(colon + 1, word.size()))}};
    const std::int64_t column = pair.whole_number(0);
    if (column < 0 || column >= clients)
      refuse_size(fmt::format("there is no column {}, as there are {} clients", column, clients), line);
    weights[static_cast<int>(column)] = weight_in(line, pair.real(1));
  }
  std::vector<Weights::Entry> entries;
  for (const auto& [column, weight] : weights)
    if (weight > 0 || column == row) entries.push_back({column, weight});
  return entries;
}

std::vector<Weights::Entry> row_in(const TableLine& line, int row, int clients) {
  if (row >= clients)
    refuse_size(fmt::format("here row {} begins, and there are {} clients", row + 1, clients), line);
  const bool sparse = line.words.front().find(':') != std::string_view::npos;
  return sparse ? sparse_row(line, row, clients) : full_row(line, row, clients);
}

Weights read_rows(int clients, const Settings& network) {
  Weights::Rows rows;
  each_line(network, "matrix", [&](const TableLine& line) {
    rows.push_back(row_in(line, static_cast<int>(rows.size()), clients));
  });
  if (std::ssize(rows) < clients)
    throw Error(
        fmt::format("the matrix has {} rows, and there are {} clients", rows.size(), clients),
        table_name(network, "matrix"),
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
  const Weights P = read_rows(clients, network);
  check_doubly_stochastic(P, table_name(network, "matrix"));
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
