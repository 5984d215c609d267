#pragma once
#include <algorithm>

#include "doc2s/base/cache_lines.hpp"
#include "doc2s/gossip/recursion.hpp"

namespace doc2s {

// Rows of one block of memory. A `Real* const*` serves as well where rows lie about.
template <class Real>
struct StridedRows {
  Real* data;
  Index stride;

  Real* operator[](Index row) const { return data + row * stride; }
};

// One row of a round for a few of its terms: sum = own + φ (own − before), where they are the first, and
// + weight (z_j − own) for each of them. The columns begin at the pointers; z is read from `column` on.
template <int terms, bool first, class Real, class Rows>
void add_terms(const GossipTerm<Real>* term, const Rows& z, Index column, Index width, Real phi,
               const Real* own, const Real* before, Real* sum) {
  const Real* other[terms + 1];
  Real weight[terms + 1];
  for (int k = 0; k < terms; ++k) {
    other[k] = z[term[k].client] + column;
    weight[k] = term[k].weight;
  }
#pragma GCC ivdep  // sum may be `before`: then each number is read before it is written
#pragma GCC unroll 4
  for (Index c = 0; c < width; ++c) {
    const Real x = own[c];
    Real s = first ? x + phi * (x - before[c]) : sum[c];
    for (int k = 0; k < terms; ++k) s += weight[k] * (other[k][c] - x);
    sum[c] = s;
  }
}

// Row i of a round: (1 + φ) Σ_j p_ij z_j − φ b_i, written by differences as z_i + φ (z_i − b_i) +
// Σ_{j≠i} (1 + φ) p_ij (z_j − z_i), j ascending: equal rows stay equal to the bit, and what i gets from j is
// what j loses to i, so that the mean does not drift with the rounding of the weights (in float32 it would,
// by about 1e−8 a round).
template <class Real, class Rows>
void gossip_row(const GossipTerm<Real>* term, const GossipTerm<Real>* last, Real phi, const Rows& z, int i,
                const Rows& before, const Rows& target, Index column, Index width) {
  const auto add = [&]<int terms, bool first>() {
    add_terms<terms, first>(term, z, column, width, phi, z[i] + column, before[i] + column,
                            target[i] + column);
    term += terms;
  };
  const auto add_up_to_four = [&]<bool first>() {
    switch (last - term) {
      case 0:
        return add.template operator()<0, first>();
      case 1:
        return add.template operator()<1, first>();
      case 2:
        return add.template operator()<2, first>();
      case 3:
        return add.template operator()<3, first>();
      default:
        return add.template operator()<4, first>();
    }
  };
  add_up_to_four.template operator()<true>();
  while (term < last) add_up_to_four.template operator()<false>();
}

template <class Real, class Rows>
void gossip_row(const Recursion<Real>& recursion, const Rows& z, int i, const Rows& before,
                const Rows& target, Index column, Index width) {
  const auto terms = recursion.neighbours(i);
  gossip_row(terms.data(), terms.data() + terms.size(), recursion.phi, z, i, before, target, column, width);
}

}  // namespace doc2s
