// SPDX-License-Identifier: Apache-2.0
#include "doc2s/transport/in_process.hpp"

#include <algorithm>
#include <stdexcept>

#include "row_sum.hpp"

namespace doc2s {

template <class Real>
std::unique_ptr<Messages<Real>> InProcess<Real>::messages() {
  throw std::logic_error("one process has nobody to send to");
}

template <class Real>
void InProcess<Real>::mean(const Rows<Real>& rows, std::span<Real> out) const {
  constexpr Index tile = 4096;
  const Index d = rows.dimension();
  threads_.each((d + tile - 1) / tile, [&](Index part) {
    const Index first = part * tile, width = std::min(tile, d - first);
    double sum[tile] = {};
    add_rows(rows, first, std::span(sum, static_cast<std::size_t>(width)));
    for (Index c = 0; c < width; ++c) out[first + c] = static_cast<Real>(sum[c] / clients_);
  });
}

template class InProcess<float>;
template class InProcess<double>;

}  // namespace doc2s
