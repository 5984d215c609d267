// SPDX-License-Identifier: Apache-2.0
#include "csv_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "config/toml_ascii.hpp"
#include "doc2s/base/error.hpp"
#include "table_targets.hpp"

namespace doc2s {

namespace {

bool is_header(const CsvFields& first, TableRequest::Header header) {
  using Header = TableRequest::Header;
  if (header != Header::automatic) return header == Header::yes;
  std::string room;
  for (Index column = 0; column < first.count(); ++column)
    if (read_whole_real(with_point(first[column], first.separator(), room)).fault == NumberFault::none)
      return false;
  return true;
}

std::vector<std::string> header_names(const CsvFields& first, const std::string& where) {
  std::vector<std::string> names;
  for (Index column = 0; column < first.count(); ++column) {
    names.emplace_back(first[column]);
    if (!is_utf8(names.back()))
      throw Error(fmt::format("the name of column {} is not UTF-8 text", column + 1), where,
                  "save the file as UTF-8");
  }
  return names;
}

// Numbers count the columns of a file with its target; one without may lack a column before them.
Index place_of_number(const std::string& text, const CsvColumns& columns, const TableRequest& request) {
  const Index number = column_number(text), target = column_number(request.label);
  const bool alone = request.features_alone > 0 && !columns.has_header() &&
                     columns.count == request.features_alone + std::ssize(request.ignore);
  return number - (alone && target > 0 && number > target ? 2 : 1);
}

void skip_ignored(const TableRequest& request, CsvColumns& columns) {
  for (const std::string& name : request.ignore) {
    bool found = false;
    for (Index column = 0; column < std::ssize(columns.names); ++column)
      if (columns.names[column] == name) columns.skipped[column] = found = true;
    const Index place = place_of_number(name, columns, request);
    if (!found && place >= 0 && place < columns.count) columns.skipped[place] = found = true;
    if (found) columns.ignored.push_back(name);
  }
}

// What is neither a feature nor the target.
void skip_others(const TableRequest& request, CsvColumns& columns) {
  if (request.only.empty()) return;
  for (Index column = 0; column < std::ssize(columns.names); ++column) {
    const std::string& name = columns.names[column];
    if (columns.skipped[column] || name.empty() || name == request.label) continue;
    if (std::ranges::find(request.only, name) != request.only.end()) continue;
    columns.skipped[column] = true;
    columns.not_used.push_back(name);
  }
}

}  // namespace

std::string csv_separators() {
  return "a .csv file separates columns by commas or semicolons, a .tsv file by tabs";
}

CsvColumns read_csv_columns(const CsvFields& first, const TableRequest& request, const std::string& where) {
  CsvColumns columns;
  columns.count = first.count();
  if (columns.count == 1 && request.features_alone != 1)
    throw Error("there is only one column", where, csv_separators());
  if (is_header(first, request.header)) columns.names = header_names(first, where);
  columns.skipped.resize(static_cast<std::size_t>(columns.count));
  skip_ignored(request, columns);
  skip_others(request, columns);
  columns.target = target_column(request, columns.names, columns.skipped, where);
  return columns;
}

std::string CsvColumns::text(Index column) const {
  const std::string number = fmt::format("column {}", column + 1);
  if (column >= std::ssize(names) || names[column].empty()) return number;
  return fmt::format("{} ({})", number, printable(names[column]));
}

std::string CsvColumns::name(Index column) const {
  if (column >= std::ssize(names) || names[column].empty()) return std::to_string(column + 1);
  return names[column];
}

std::vector<std::string> CsvColumns::features() const {
  std::vector<std::string> features;
  Index number = 0;
  for (Index column = 0; column < count; ++column) {
    if (column == target || (skipped[column] && has_header())) continue;
    ++number;  // without a header, as in the file
    if (skipped[column]) continue;
    const bool named = has_header() && !names[column].empty();
    features.push_back(named ? names[column] : std::to_string(number));
  }
  return features;
}

}  // namespace doc2s
