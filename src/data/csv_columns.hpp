// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "csv_fields.hpp"
#include "table.hpp"

namespace doc2s {

// What the first record of a CSV file tells about its columns.
struct CsvColumns {
  Index count = 0;                             // 0: not known yet
  Index target = -1;                           // −1: none
  std::vector<std::string> names;              // of all columns; empty without a header
  std::vector<bool> skipped;                   // by column: no feature
  std::vector<std::string> ignored, not_used;  // as a table has them

  bool has_header() const { return !names.empty(); }
  std::string text(Index column) const;       // for a message: `column 3 ("price")`
  std::string name(Index column) const;       // as problem.ignore has it
  std::vector<std::string> features() const;  // names; its place from 1 where a feature has none
};

CsvColumns read_csv_columns(const CsvFields& first, const TableRequest& request, const std::string& where);

// A hint: which separators are expected.
std::string csv_separators();

}  // namespace doc2s
