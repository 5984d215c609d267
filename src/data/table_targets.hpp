// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "numbers.hpp"
#include "table.hpp"

namespace doc2s {

// An empty field, ?, NA, N/A, n/a, NaN, nan, null or NULL.
bool is_missing(std::string_view text);

// The whole text as a number.
ReadNumber read_whole_real(std::string_view text);

// What is wrong with the text at this place: `column 3 has no value`, `"x" in column 3 is not a number`.
std::string field_fault(std::string_view text, NumberFault fault, const std::string& place);

// The targets of a table, row by row. A text that is a number is the class of that number: 1 and 1.0 are one.
class Targets {
 public:
  explicit Targets(TableRequest::Target kind) : kind_(kind) {}

  // Adds a row's target, unless it is faulty. A class is faulty if it is missing or not finite.
  NumberFault add(std::string_view text);
  NumberFault add(double number);

  // Moves targets and classes to the table, classes in their order.
  void finish(Table& table);

 private:
  TableRequest::Target kind_;
  std::vector<double> targets_;  // numbers, or places of classes in the order of their first rows
  std::map<double, Index> numbers_;
  std::map<std::string, Index, std::less<>> texts_;
};

// The target's column from 0, or −1 if the file holds features alone. `names` is the header, or empty.
// `skipped` by column. Refuses a table without features.
Index target_column(const TableRequest& request, const std::vector<std::string>& names,
                    const std::vector<bool>& skipped, const std::string& where);

// A column's number from 1 in a text; 0: it is none.
Index column_number(const std::string& label);

// `did you mean "age"?`, or the first names.
std::string suggested_column(const std::string& label, std::vector<std::string> names);

}  // namespace doc2s
