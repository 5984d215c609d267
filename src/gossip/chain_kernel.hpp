#pragma once
#include "row_kernel.hpp"

namespace doc2s {

// The rows of a round for clients first ≤ i < last whose neighbours are i − 1 and i + 1 alone, as on a ring:
// a few lines of the cache at a time down the rows, so that a row is read once for its own sake and its
// neighbours', and the product of an edge serves both its ends. It pays where the rows are in the first
// cache.
//
// These are gossip_row's bits. What i − 1 adds is a (z_{i−1} − z_i), here −a (z_i − z_{i−1}): the same but
// for equal rows, where it is −0 instead of +0, and that makes no difference to any sum but −0. No sum is −0:
// x + y is only where both are, z + φ (z − z) of the first round is not, for φ ≥ 0, and so no later z is
// either.
template <int lines, class Real>
[[gnu::noinline]] void mix_chain_lines(const GossipTerm<Real>* term, int first, int last, Real phi,
                                       StridedRows<Real> z, StridedRows<Real> before,
                                       StridedRows<Real> target) {
  using Vector [[gnu::vector_size(32), gnu::aligned(sizeof(Real)), gnu::may_alias]] = Real;
  constexpr int vectors = 2 * lines;
  const auto at = [](Real* row, int v) -> Vector& { return reinterpret_cast<Vector*>(row)[v]; };
  Vector own[vectors], edge[vectors];  // edge = a (z_i − z_{i−1})
#pragma GCC unroll 4
  for (int v = 0; v < vectors; ++v) {
    own[v] = at(z[first], v);
    edge[v] = term[0].weight * (own[v] - at(z[first - 1], v));
  }
  for (int i = first; i < last; ++i, term += 2) {
    const Real weight = term[1].weight;
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      const Vector other = at(z[i + 1], v);
      const Vector sum = own[v] + phi * (own[v] - at(before[i], v)) - edge[v];
      edge[v] = weight * (other - own[v]);
      at(target[i], v) = sum + edge[v];
      own[v] = other;
    }
  }
}

// The same for `width` columns, whole cache lines. `term` is the first client's.
template <class Real>
void mix_chain(const GossipTerm<Real>* term, int first, int last, Real phi, StridedRows<Real> z,
               StridedRows<Real> before, StridedRows<Real> target, Index width) {
  constexpr Index line = 64 / static_cast<Index>(sizeof(Real));
  const auto mix_lines = [&]<int lines>(Index c) {
    const auto from = [c](StridedRows<Real> rows) { return StridedRows<Real>{rows.data + c, rows.stride}; };
    mix_chain_lines<lines>(term, first, last, phi, from(z), from(before), from(target));
  };
  Index c = 0;
  for (; c + 2 * line <= width; c += 2 * line) mix_lines.template operator()<2>(c);
  if (c < width) mix_lines.template operator()<1>(c);
}

}  // namespace doc2s
