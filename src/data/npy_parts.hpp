// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

// A .npy file taken apart: its header and the bytes of its elements.
struct NpyParts {
  std::string name;  // for messages
  std::string type;  // NumPy's name, e.g. <f8
  bool fortran = false;
  std::vector<Index> shape;
  std::string_view elements;

  char kind() const { return type.size() > 1 ? type[1] : '?'; }
  std::size_t width() const;  // bytes of an element; 0: not a type that can be read
};

// Refuses a damaged header. `bytes` must outlive the result.
NpyParts parse_npy_parts(std::string_view bytes, const std::string& name);

// Refuses a file whose length does not match the shape.
void check_length(const NpyParts& parts);

// One or two dimensions, row by row. Refuses other types than floats, integers and bool.
std::vector<double> npy_numbers(const NpyParts& parts);

// Fixed-width texts, <U7 or |S7, in UTF-8 or as they are.
bool holds_texts(const NpyParts& parts);
std::vector<std::string> npy_texts(const NpyParts& parts);

}  // namespace doc2s
