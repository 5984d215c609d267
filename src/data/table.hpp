// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

// Rows of numbers with a target each: what CSV, .npy, .npz and LIBSVM files hold for a model.
struct Table {
  std::string source;                // path of the file
  std::vector<std::string> columns;  // names of the features; "1", "2" … where the file has none
  std::vector<double> values;        // count() × features(), row by row
  std::vector<std::string> classes;  // names, numbers by value and before texts; empty if targets are numbers
  std::vector<double> targets;       // a class's place in `classes`, or a number; empty if there are none
  std::string label;                 // the target's column: its name, or its number from 1 where it has none

  Index features() const { return static_cast<Index>(columns.size()); }
  Index count() const { return rows; }
  Index rows = 0;
};

// How a file is read; the keys problem.target, problem.label and problem.header.
struct TableRequest {
  enum class Target { class_name, number };
  enum class Header { automatic, yes, no };

  Target target = Target::class_name;
  std::string label{};  // the target's column, a name or a number from 1; "": the last one
  Header header = Header::automatic;  // automatic: yes if no field of the first line is a number
  Index features_alone = 0;  // a file with just that many columns, none of them `label`, has no targets; 0: never
};

// Whether the path ends like a table: .csv, .tsv, .npy or .npz, or one of these compressed.
bool is_table_path(const std::string& path);

// Reads a table by its ending; LIBSVM text otherwise. Throws Error{what, path:line} naming the column.
Table read_table(const std::string& path, const TableRequest& request);

}  // namespace doc2s
