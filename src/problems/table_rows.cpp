// SPDX-License-Identifier: Apache-2.0
#include "table_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/text.hpp"
#include "data/table_targets.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/config/options.hpp"

namespace doc2s {

namespace {

constexpr Index absent = -1;

std::string named(const char* one, const char* many, std::vector<std::string> names) {
  constexpr std::size_t most = 100;
  const std::size_t more = names.size() - std::min(names.size(), most);
  names.resize(names.size() - more);
  for (std::string& name : names) name = printable(name);
  return fmt::format("{} {}{}", names.size() == 1 ? one : many, joined(names),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

// All columns that the one has not or the other.
void refuse_columns(const Table& table, const std::vector<std::string>& lacking,
                    const std::vector<std::string>& unknown, const std::string& whose) {
  if (!lacking.empty())
    throw Error(named("there is no column", "there are no columns", lacking) + ", which " + whose,
                table.source,
                unknown.empty() ? "give every file the same columns"
                                : named("it has the column", "it has the columns", unknown) +
                                      " instead; give every file the same columns");
  if (!unknown.empty())
    throw Error(
        named("it has the column", "it has the columns", unknown) + ", which are none of those that " + whose,
        table.source,
        "give every file the same columns, or leave them out by problem.ignore = " + to_toml(unknown));
}

// The place of each of these columns in the table.
std::vector<Index> places_of(const Table& table, const std::vector<std::string>& columns,
                             const std::string& whose) {
  const bool sparse = !is_table_path(table.source);
  std::map<std::string, Index> place;
  for (const auto& name : table.columns) place.emplace(name, std::ssize(place));
  std::vector<Index> places;
  std::vector<std::string> lacking, unknown;
  for (const auto& name : columns) {
    const auto found = place.find(name);
    if (found == place.end() && !sparse) lacking.push_back(name);
    places.push_back(found == place.end() ? absent : found->second);
  }
  const std::set<std::string> known(columns.begin(), columns.end());
  for (const auto& name : table.columns)
    if (!known.contains(name)) unknown.push_back(name);
  refuse_columns(table, lacking, unknown, whose);
  return places;
}

void refuse_equal_names(const Table& table) {
  std::set<std::string> met;
  for (const auto& name : table.columns)
    if (!met.insert(name).second)
      throw Error(fmt::format("two columns are named {}", printable(name)), table.source,
                  "rename one, or leave both out by problem.ignore = " + to_toml(Texts{name}));
}

}  // namespace

void arrange(Table& table, const std::vector<std::string>& columns, const std::string& whose) {
  refuse_equal_names(table);
  if (table.columns == columns) return;
  const std::vector<Index> places = places_of(table, columns, whose);
  std::vector<double> values;
  values.reserve(table.rows * columns.size());
  for (Index row = 0; row < table.rows; ++row)
    for (const Index place : places)
      values.push_back(place == absent ? 0 : table.values[row * table.features() + place]);
  table.values = std::move(values);
  table.columns = columns;
}

void rename_classes(Table& table, const std::vector<std::string>& classes) {
  if (table.classes == classes) return;
  std::vector<double> number;
  for (const auto& name : table.classes) {
    const auto found = std::find(classes.begin(), classes.end(), name);
    number.push_back(found == classes.end() ? absent : static_cast<double>(found - classes.begin()));
  }
  for (Index row = 0; row < std::ssize(table.targets); ++row) {
    double& target = table.targets[row];
    const std::string& name = table.classes[static_cast<std::size_t>(target)];
    target = number[static_cast<std::size_t>(target)];
    if (target == absent)
      throw Error(fmt::format("row {} is of the class {}, which no training sample is of",
                              places_of(table, std::vector{row})[0] + 1, printable(name)),
                  table.source, fmt::format("the classes are {}", joined(classes)));
  }
  table.classes = classes;
}

std::vector<std::string> joined_classes(const std::vector<std::vector<std::string>>& lists) {
  Targets all(TableRequest::Target::class_name);
  for (const auto& list : lists)
    for (const std::string& name : list) all.add(std::string_view(name));
  Table table;
  all.finish(table);
  return table.classes;
}

Table rows_of(const Table& table, std::span<const Index> rows) {
  const Index size = table.features();
  Table kept{.source = table.source,
             .columns = table.columns,
             .values = {},
             .classes = table.classes,
             .targets = {},
             .label = table.label,
             .places = places_of(table, rows),
             .rows = std::ssize(rows)};
  kept.values.reserve(rows.size() * static_cast<std::size_t>(size));
  for (const Index row : rows) {
    kept.values.insert(kept.values.end(), table.values.begin() + row * size,
                       table.values.begin() + (row + 1) * size);
    kept.targets.push_back(table.targets[row]);
  }
  return kept;
}

void keep_rows(Table& table, std::span<const Index> rows) { table = rows_of(table, rows); }

std::vector<Index> places_of(const Table& table, std::span<const Index> rows) {
  std::vector<Index> places(rows.begin(), rows.end());
  if (!table.places.empty())
    for (Index& place : places) place = table.places[static_cast<std::size_t>(place)];
  return places;
}

void append(Table& table, const Table& more) {
  if (table.rows == 0) {
    table = more;
    return;
  }
  table.rows += more.rows;
  table.places.clear();
  table.values.insert(table.values.end(), more.values.begin(), more.values.end());
  table.targets.insert(table.targets.end(), more.targets.begin(), more.targets.end());
}

void fill(Table& table, std::span<const double> values) {
  if (values.empty()) return;
  double* value = table.values.data();
  for (Index row = 0; row < table.rows; ++row)
    for (std::size_t j = 0; j < values.size(); ++j, ++value)
      if (std::isnan(*value)) *value = values[j];
}

void scale(Table& table, std::span<const double> mean, std::span<const double> deviation) {
  if (mean.empty()) return;
  double* value = table.values.data();
  for (Index row = 0; row < table.rows; ++row)
    for (std::size_t j = 0; j < mean.size(); ++j, ++value) *value = (*value - mean[j]) / deviation[j];
}

Inputs inputs_of(Table table, std::size_t outputs) {
  Inputs inputs;
  inputs.source = table.source;
  inputs.height = 1;
  inputs.width = static_cast<int>(table.features());
  inputs.is_table = true;
  inputs.is_numeric = outputs == 0;
  inputs.classes = inputs.is_numeric ? 1 : static_cast<int>(outputs);
  inputs.labels.resize(static_cast<std::size_t>(table.rows));
  if (inputs.is_numeric)
    inputs.targets = std::move(table.targets);
  else
    std::copy(table.targets.begin(), table.targets.end(), inputs.labels.begin());
  inputs.values = std::move(table.values);
  return inputs;
}

Samples samples_of(const Table& table, bool with_zeros) {
  Samples samples;
  samples.source = table.source;
  samples.dimension = table.features();
  const double* value = table.values.data();
  for (Index row = 0; row < table.rows; ++row) {
    for (Index j = 0; j < table.features(); ++j, ++value) {
      if (*value == 0 && !with_zeros) continue;
      samples.columns.push_back(static_cast<std::int32_t>(j));
      samples.values.push_back(*value);
    }
    samples.offsets.push_back(std::ssize(samples.columns));
    samples.labels.push_back(table.targets.empty() || table.targets[row] == 0 ? -1 : 1);
  }
  samples.features = std::ssize(samples.values);
  return samples;
}

}  // namespace doc2s
