// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "doc2s/base/error.hpp"
#include "files.hpp"
#include "npy_parts.hpp"
#include "npy_table.hpp"
#include "table_readers.hpp"
#include "table_targets.hpp"

namespace doc2s {

NpyMatrix read_matrix(const std::string& bytes, const std::string& name) {
  const NpyParts parts = parse_npy_parts(bytes, name);
  if (parts.shape.size() != 2) throw Error("has one dimension", name, "a table has two, rows and columns");
  NpyMatrix matrix{parts.shape[0], parts.shape[1], npy_numbers(parts)};
  if (matrix.values.empty())
    throw Error(matrix.rows == 0 ? "holds no rows" : "holds no columns", name,
                "a row is features and a target");
  const auto bad = std::find_if_not(matrix.values.begin(), matrix.values.end(),
                                    [](double value) { return std::isfinite(value); });
  if (bad == matrix.values.end()) return matrix;
  const Index place = bad - matrix.values.begin();
  throw Error(
      fmt::format("column {} of row {} is {}", place % matrix.columns + 1, place / matrix.columns + 1, *bad),
      name, "fill it in, or leave the row out");
}

namespace {

// The features of each row without the target in the middle.
std::vector<double> without_column(const NpyMatrix& matrix, Index target) {
  std::vector<double> values;
  values.reserve(matrix.values.size());
  for (Index row = 0; row < matrix.rows; ++row) {
    const double* first = matrix.values.data() + row * matrix.columns;
    values.insert(values.end(), first, first + target);
    values.insert(values.end(), first + target + 1, first + matrix.columns);
  }
  return values;
}

}  // namespace

Table read_npy_table(const std::string& path, const TableRequest& request) {
  NpyMatrix matrix = read_matrix(read_whole(path), path);
  const Index target =
      target_column(request, {}, std::vector<bool>(static_cast<std::size_t>(matrix.columns)), path);
  Table table = numbered_table(path, matrix.rows, matrix.columns - (target < 0 ? 0 : 1));
  if (target < 0) {
    table.values = std::move(matrix.values);
    return table;
  }
  table.values = without_column(matrix, target);
  Targets targets(request.target);
  for (Index row = 0; row < matrix.rows; ++row) targets.add(matrix.values[row * matrix.columns + target]);
  targets.finish(table);
  table.label = std::to_string(target + 1);
  return table;
}

}  // namespace doc2s
