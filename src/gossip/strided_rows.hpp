// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/base/types.hpp"

namespace doc2s {

// Rows of one block of memory. A `Real* const*` does as well for rows that are scattered.
template <class Real>
struct StridedRows {
  Real* data;
  Index stride;

  Real* operator[](Index row) const { return data + row * stride; }
  StridedRows from(Index column) const { return {data + column, stride}; }
};

}  // namespace doc2s
