// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "doc2s/base/rows.hpp"

namespace doc2s {

// sum[c] += Σ_i row i [first + c], in client order, in double.
template <class Real>
void add_rows(const Rows<Real>& rows, Index first, std::span<double> sum) {
  for (int client = rows.clients().first; client < rows.clients().end(); ++client) {
    const Real* row = rows.row(client).data() + first;
    for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += row[c];
  }
}

}  // namespace doc2s
