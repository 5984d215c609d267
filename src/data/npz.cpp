// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "files.hpp"
#include "growth.hpp"
#include "npy_parts.hpp"
#include "npy_table.hpp"
#include "table_readers.hpp"
#include "table_targets.hpp"

namespace doc2s {

namespace {

struct NpzArrays {
  std::map<std::string, std::string> wanted;  // "x" and "y": bytes of their .npy files
  std::vector<std::string> names;             // of all arrays
};

// "x", "y", or "" for another.
std::string wanted_name(std::string_view name) {
  return name == "x" || name == "X" ? "x" : name == "y" || name == "Y" ? "y" : "";
}

NpzArrays read_arrays(const std::string& path) {
  const std::string packed = read_whole(path);
  NpzArrays arrays;
  Growth growth(path, static_cast<std::int64_t>(packed.size()));
  read_zip_members(packed, path, [&](const std::string& member) -> TakePiece {
    if (!member.ends_with(".npy")) return nullptr;
    arrays.names.push_back(member.substr(0, member.size() - 4));
    const std::string name = wanted_name(arrays.names.back());
    if (name.empty()) return nullptr;
    const auto [array, is_new] = arrays.wanted.try_emplace(name);
    if (!is_new) throw Error(fmt::format("it holds two arrays named {}", name), path, "keep one");
    return [&growth, bytes = &array->second](std::string_view piece) {
      growth.add(piece.size());
      *bytes += piece;
    };
  });
  return arrays;
}

[[noreturn]] void refuse_without(const std::string& name, std::vector<std::string> names,
                                 const std::string& path) {
  constexpr std::size_t most = 8;
  for (auto& known : names) known = printable(known);
  if (names.size() > most) names.resize(most);
  throw Error(fmt::format("it holds no array \"{}\", but {}", name, names.empty() ? "none" : joined(names)),
              path, "save it with numpy.savez(file, x=features, y=targets)");
}

void check_count(const NpyParts& y, Index rows) {
  const bool column = y.shape.size() == 1 || y.shape[1] == 1;
  if (column && y.shape[0] == rows) return;
  throw Error(
      fmt::format("has {} targets, and x has {} rows",
                  column ? std::to_string(y.shape[0]) : fmt::format("{} columns of", y.shape[1]), rows),
      y.name, "y is a list with one target for each row of x");
}

void check_target(NumberFault fault, std::string_view text, Index row, const std::string& name) {
  if (fault == NumberFault::none) return;
  throw Error(field_fault(text, fault, fmt::format("row {}", row + 1)), name,
              is_missing(text) ? "fill it in, or leave the row out" : "see problem.target");
}

void read_y(const std::string& bytes, const TableRequest& request, Table& table) {
  const NpyParts y = parse_npy_parts(bytes, table.source + ":y");
  check_count(y, table.rows);
  Targets targets(request.target);
  Index row = 0;
  if (holds_texts(y))
    for (const std::string& text : npy_texts(y)) check_target(targets.add(text), text, row++, y.name);
  else
    for (const double number : npy_numbers(y))
      check_target(targets.add(number), fmt::format("{}", number), row++, y.name);
  targets.finish(table);
}

}  // namespace

Table read_npz(const std::string& path, const TableRequest& request) {
  NpzArrays arrays = read_arrays(path);
  if (!arrays.wanted.contains("x")) refuse_without("x", arrays.names, path);
  NpyMatrix x = read_matrix(arrays.wanted["x"], path + ":x");
  const bool has_targets = arrays.wanted.contains("y");
  if (!has_targets && x.columns != request.features_alone) refuse_without("y", arrays.names, path);
  Table table = numbered_table(path, x.rows, x.columns);
  table.values = std::move(x.values);
  if (has_targets) read_y(arrays.wanted["y"], request, table);
  return table;
}

}  // namespace doc2s
