#pragma once
#include <string>

#include "doc2s/base/types.hpp"

namespace doc2s::bench {

class Scratch;

// LIBSVM text, the same in every run: `rows` lines of ±1 and about `per_row` features of `dimension`.
struct TextShape {
  Index rows, per_row, dimension;
  int digits;  // behind the point of a value; 0: every value is 1
};
std::string libsvm_text(const TextShape& shape);

// The file of a9a, or in its place one of the same shape in the folder; `note` then says so.
std::string a9a_file(const Scratch& folder, std::string& note);

}  // namespace doc2s::bench
