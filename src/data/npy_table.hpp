// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

struct NpyMatrix {
  Index rows, columns;
  std::vector<double> values;  // row by row
};

// A two-dimensional array of finite numbers, not empty.
NpyMatrix read_matrix(const std::string& bytes, const std::string& name);

}  // namespace doc2s
