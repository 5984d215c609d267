#pragma once
#include "row_kernel.hpp"

namespace doc2s {

// A whole round on a tile of a fixed number of cache lines a row, for networks of so many clients that a
// wider one would not stay in cache: a row's numbers are held in registers while its neighbours come by. The
// arithmetic of gossip_row, number by number.
template <int lines, class Real>
class NarrowRound {
 public:
  static constexpr Index width = lines * line_numbers<Real>;

  // The lines of `next`, unless that is null, are fetched on the way.
  static void mix(const Index* offsets, const GossipTerm<Real>* terms, Real phi, int n, StridedRows<Real> z,
                  StridedRows<Real> before, StridedRows<Real> target, StridedRows<Real> next) {
    for (int i = 0; i < n; ++i) {
      if (next.data) prefetch<Fetch::to_write>(next[i], width);
      row(terms + offsets[i], terms + offsets[i + 1], phi, z, i, before[i], target[i]);
    }
  }

 private:
  static constexpr int vector_bytes = 32, vectors = lines * line_bytes / vector_bytes;
  using Vector [[gnu::vector_size(vector_bytes), gnu::aligned(sizeof(Real)), gnu::may_alias]] = Real;

  static void row(const GossipTerm<Real>* term, const GossipTerm<Real>* last, Real phi, StridedRows<Real> z,
                  int i, const Real* before, Real* target) {
    const auto* const x = reinterpret_cast<const Vector*>(z[i]);
    const auto* const b = reinterpret_cast<const Vector*>(before);
    Vector own[vectors], sum[vectors];
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      own[v] = x[v];
      sum[v] = own[v] + phi * (own[v] - b[v]);
    }
    for (; term < last; ++term) {
      const auto* const other = reinterpret_cast<const Vector*>(z[term->client]);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) sum[v] += term->weight * (other[v] - own[v]);
    }
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) reinterpret_cast<Vector*>(target)[v] = sum[v];
  }
};

}  // namespace doc2s
