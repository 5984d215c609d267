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
  std::vector<Index> places{};       // of the rows in the file, where some were left out; else empty

  // What a CSV file was like.
  bool has_header = true, has_semicolons = false, has_decimal_commas = false;
  Index left_out = 0;                   // rows, as a value is missing
  std::vector<Index> missing{};         // number of cells by feature, NaN in `values` if their row is kept
  std::vector<std::string> ignored{};   // of TableRequest::ignore, those that are there
  std::vector<std::string> not_used{};  // columns beside TableRequest::only

  Index features() const { return static_cast<Index>(columns.size()); }
  Index count() const { return rows; }
  Index rows = 0;
};

class TableFaults;

// How a file is read; the keys problem.target, label, header, ignore and missing.
struct TableRequest {
  enum class Target { class_name, number };
  enum class Header { automatic, yes, no };
  enum class Missing { refuse, drop, keep };  // a row with such a cell, or the cell as NaN

  Target target = Target::class_name;
  std::string label{};                // the target's column, a name or a number from 1; "": the last one
  Header header = Header::automatic;  // automatic: yes if no field of the first line is a number
  std::vector<std::string> ignore{};  // columns of a CSV file, by name or number from 1
  Missing missing = Missing::refuse;  // in a CSV file
  std::vector<std::string> only{};    // features of a CSV file with a header; others are left out; empty: all
  TableFaults* faults = nullptr;      // takes the faults of a CSV file's rows, which otherwise are thrown
  Index features_alone =
      0;  // a file with just that many columns, none of them `label`, has no targets; 0: never
};

// Whether the path ends like a table: .csv, .tsv, .npy or .npz, or one of these compressed.
bool is_table_path(const std::string& path);

bool is_csv_path(const std::string& path);  // .csv or .tsv

// Reads a table by its ending; LIBSVM text otherwise. Throws Error{what, path:line} naming the column.
Table read_table(const std::string& path, const TableRequest& request);

}  // namespace doc2s
