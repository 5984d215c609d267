// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "competitors.hpp"
#include "doc2s/base/random.hpp"

namespace doc2s::bench {

template <class Real>
void fill_with_normals(Rows<Real>& rows) {
  for (int i = 0; i < rows.clients().count; ++i)
    Random(1, Purpose::synthetic, static_cast<std::uint32_t>(i)).normals(0, rows.row(i));
}

template <class Real>
void copy_rows(const Rows<Real>& from, Rows<Real>& to, Threads& threads) {
  const Index n = from.clients().count, parts = threads.count();
  threads.each(parts, [&](Index part) {
    const auto first = static_cast<int>(n * part / parts), last = static_cast<int>(n * (part + 1) / parts);
    if (first == last) return;
    const std::size_t numbers = static_cast<std::size_t>((last - first) * from.stride());
    std::memcpy(to.row(first).data(), from.row(first).data(), numbers * sizeof(Real));
  });
}

template void fill_with_normals(Rows<float>&);
template void fill_with_normals(Rows<double>&);
template void copy_rows(const Rows<float>&, Rows<float>&, Threads&);
template void copy_rows(const Rows<double>&, Rows<double>&, Threads&);

}  // namespace doc2s::bench
