// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "data/samples.hpp"
#include "data/table.hpp"
#include "inputs.hpp"

// What is done with a table once it is read.
namespace doc2s {

// Puts the columns into this order. In LIBSVM text, columns that are missing are 0. Throws Error with the
// file and all columns that it lacks, or that are not among these; `whose` says whose they are.
void arrange(Table& table, const std::vector<std::string>& columns, const std::string& whose);

// Renumbers the targets by these classes; throws Error with the row of a class that is not among them.
void rename_classes(Table& table, const std::vector<std::string>& classes);

// The names of all lists in the order of Table::classes.
std::vector<std::string> joined_classes(const std::vector<std::vector<std::string>>& lists);

void keep_rows(Table& table, std::span<const Index> rows);  // ascending; frees the others
void append(Table& table, const Table& more);               // of the same columns and classes
Table rows_of(const Table& table, std::span<const Index> rows);
std::vector<Index> places_of(const Table& table, std::span<const Index> rows);  // in the file
void fill(Table& table, std::span<const double> values);  // by feature, for NaN; none: nothing
void scale(Table& table, std::span<const double> mean, std::span<const double> deviation);

// What a network sees of a scaled table, of which `outputs` is the number of classes; 0: targets are numbers.
Inputs inputs_of(Table table, std::size_t outputs);

// What the SVM sees: the first class is −1, the second +1.
Samples samples_of(const Table& table, bool with_zeros);

}  // namespace doc2s
