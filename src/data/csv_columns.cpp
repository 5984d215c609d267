// SPDX-License-Identifier: Apache-2.0
#include "csv_columns.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "config/toml_ascii.hpp"
#include "doc2s/base/error.hpp"
#include "table_targets.hpp"

namespace doc2s {

namespace {

bool is_header(const CsvFields& first, TableRequest::Header header) {
  using Header = TableRequest::Header;
  if (header != Header::automatic) return header == Header::yes;
  for (Index column = 0; column < first.count(); ++column)
    if (read_whole_real(first[column]).fault == NumberFault::none) return false;
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

}  // namespace

std::string csv_separators() { return "a .csv file separates columns by commas, a .tsv file by tabs"; }

CsvColumns read_csv_columns(const CsvFields& first, const TableRequest& request, const std::string& where) {
  CsvColumns columns;
  columns.count = first.count();
  if (columns.count == 1 && request.features_alone != 1)
    throw Error("there is only one column", where, csv_separators());
  if (is_header(first, request.header)) columns.names = header_names(first, where);
  columns.target = target_column(request, columns.names, columns.count, where);
  return columns;
}

std::string CsvColumns::text(Index column) const {
  const std::string number = fmt::format("column {}", column + 1);
  if (column >= std::ssize(names) || names[column].empty()) return number;
  return fmt::format("{} ({})", number, printable(names[column]));
}

std::vector<std::string> CsvColumns::features() const {
  std::vector<std::string> features;
  for (Index column = 0; column < count; ++column) {
    if (column == target) continue;
    const bool named = has_header() && !names[column].empty();
    features.push_back(named ? names[column] : std::to_string(features.size() + 1));
  }
  return features;
}

}  // namespace doc2s
