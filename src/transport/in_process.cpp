#include "doc2s/transport/in_process.hpp"

#include <algorithm>
#include <vector>

namespace doc2s {

template <class Real>
void InProcess<Real>::mean(const Rows<Real>& rows, std::span<Real> out) const {
  constexpr Index tile = 4096;
  const Index d = rows.dimension();
  threads_.each((d + tile - 1) / tile, [&](Index part) {
    const Index first = part * tile, width = std::min(tile, d - first);
    double sum[tile] = {};
    for (int client = 0; client < clients_; ++client) {
      const Real* row = rows.row(client).data() + first;
      for (Index c = 0; c < width; ++c) sum[c] += row[c];
    }
    for (Index c = 0; c < width; ++c) out[first + c] = static_cast<Real>(sum[c] / clients_);
  });
}

template class InProcess<float>;
template class InProcess<double>;

}  // namespace doc2s
