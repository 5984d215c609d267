// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "data/table.hpp"
#include "data/table_faults.hpp"
#include "kinds.hpp"

namespace doc2s {

// What a table problem's files in this process hold. All their faults are thrown in one Error, among
// them a column of problem.ignore that no file has. Every process must call this.
struct TableFiles {
  std::vector<Table> train;  // one common file, or one a client here
  Table test, validation;    // in the first process, if any
  std::string source;        // the common file, or the pattern
};
TableFiles read_table_files(const ProblemRequest& request);

// How new samples of a model with this preprocessing are read.
TableRequest new_rows_request(const Preprocessing& how);

// A sentence each about what was recognised, left out or looks like a number of the row.
std::vector<std::string> notes_of(const TableFiles& files, const Settings& problem);

// The same of new samples, and about columns that the model does not use.
std::vector<std::string> notes_of_new(const Table& table, const Preprocessing& how);

}  // namespace doc2s
