// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "doc2s/base/types.hpp"

namespace doc2s::bench {

class Scratch;

// LIBSVM text, identical in every run: `rows` lines with label ±1 and about `per_row` of `dimension`
// features.
struct TextShape {
  Index rows, per_row, dimension;
  int digits;  // decimals of a value; 0: every value is 1
};
std::string libsvm_text(const TextShape& shape);

// CSV text, identical in every run: a header, and lines of `columns` − 1 numbers and one of three classes.
std::string csv_text(Index rows, Index columns, int digits);

// The a9a file if installed, else a generated file of the same shape in `folder`; `note` then says so.
std::string a9a_file(const Scratch& folder, std::string& note);

}  // namespace doc2s::bench
