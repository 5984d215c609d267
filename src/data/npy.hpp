// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

// The contents of a NumPy .npy file: `rows` × `columns` numbers.
struct NpyArray {
  Index rows = 1, columns = 0;
  bool is_list = true;  // one-dimensional: a single row
  std::vector<double> values;

  std::span<const double> row(Index number) const {
    return std::span<const double>(values).subspan(static_cast<std::size_t>(number * columns),
                                                   static_cast<std::size_t>(columns));
  }
};

// Accepts float32 or float64, one or two dimensions, C order. Refuses everything else, and files whose length
// does not match the header. Allocates only what the file holds.
NpyArray read_npy(const std::string& path);
NpyArray parse_npy(const std::string& bytes, const std::string& name);

}  // namespace doc2s
