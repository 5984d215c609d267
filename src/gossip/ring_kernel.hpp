// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ring.hpp"
#include "row_kernel.hpp"
#include "strided_rows.hpp"

// Rounds of gossip on a ring, in place: down the rows with one cache line of columns in registers, so that a
// row is read once for itself and its neighbours, the product of an edge serves both its ends, and two rounds
// read and write each number once.
//
// The bits are those of mix_row(). What i − 1 adds to i is a (z_{i−1} − z_i), here −a (z_i − z_{i−1}): the
// same but for equal rows, where it is −0 instead of +0, which makes no difference to any sum but −0. No sum
// is −0: x + y is −0 only where both are; z + d (z − z) = z + 0 of the first round is not, for d ≥ 0; so no
// later z is.
namespace doc2s {

namespace {  // an instruction set's own: see base/kernels.hpp

// One round on its way down the rows, for one vector of columns.
template <class Real>
struct RingRound {
  Vector<Real> x;    // x_i, the row that came last
  Vector<Real> sum;  // what is known of its result: x_i + d (x_i − b_i) − a_{i−1} (x_i − x_{i−1})

  // Goes on to x_{i+1}, of which x_{i+1} + d (x_{i+1} − b_{i+1}) is known, over the edge a_i; returns row i.
  Vector<Real> pass(const Vector<Real>& next, const Vector<Real>& base, Real a) {
    const Vector<Real> edge = a * (next - x), done = sum + edge;
    x = next;
    sum = base - edge;
    return done;
  }
};

// z ← the next round, or that and the one after it, on the cache line that z[i] points to for all rows i.
// `before` is the round before z, which the last of these rounds but one replaces: it is not read where z is
// the start
// (`first`), and not written where no round follows (`last`). `ahead`: numbers to what comes next, which is
// fetched; 0: nothing.
template <int rounds, bool first, bool last, class Real>
[[gnu::noinline]] void mix_ring_line(const Ring<Real>& next, const Ring<Real>& after, StridedRows<Real> z,
                                     StridedRows<Real> before, Index ahead) {
  constexpr int vectors = static_cast<int>(line_bytes) / vector_bytes;
  const int n = static_cast<int>(next.weights.size());
  const Real *const a = next.weights.data(), *const a_after = after.weights.data();
  const Real d = next.d, d_after = after.d;
  RingRound<Real> one[vectors], two[vectors];
  Vector<Real> closing[vectors], start[vectors];  // a_{n−1} (z_{n−1} − z_0); the second round's row 0
  const auto base = [&](int i, int v) {           // z_i + d (z_i − b_i)
    const Vector<Real> own = vector_at(z[i], v);
    return first ? own + Vector<Real>{} : own + d * (own - vector_at(before[i], v));
  };
  // Row i of the first of the rounds; row i − 1 of the second is then complete but for what closes the ring.
  const auto put = [&](int i, int v, const Vector<Real>& own, const Vector<Real>& u,
                       const Vector<Real>& closes) {
    if (!last) vector_at(before[i], v) = rounds == 2 ? u : own;
    if (rounds == 1)
      vector_at(z[i], v) = u;
    else
      vector_at(z[i - 1], v) = two[v].pass(u, u + d_after * (u - own) - closes, a_after[i - 1]);
  };
  const auto fetch = [&](int i) {
    if (ahead > 0) __builtin_prefetch(z[i] + ahead, 1);
  };

  fetch(0);
  unrolled<vectors>([&](int v) {
    const Vector<Real> own = vector_at(z[0], v);
    closing[v] = a[n - 1] * (vector_at(z[n - 1], v) - own);
    one[v] = {own, base(0, v)};
    const Vector<Real> u = start[v] = one[v].pass(vector_at(z[1], v), base(1, v), a[0]) + closing[v];
    two[v] = {u, u + d_after * (u - own)};
    if (!last) vector_at(before[0], v) = rounds == 2 ? u : own;
    if (rounds == 1) vector_at(z[0], v) = u;
  });
  int i = 1;
  for (; i < n - 2; ++i) {
    fetch(i);
    unrolled<vectors>([&](int v) {
      const Vector<Real> own = one[v].x;
      put(i, v, own, one[v].pass(vector_at(z[i + 1], v), base(i + 1, v), a[i]), Vector<Real>{});
    });
  }
  fetch(n - 2), fetch(n - 1);
  unrolled<vectors>([&](int v) {
    const Vector<Real> own = one[v].x;
    put(i, v, own, one[v].pass(vector_at(z[i + 1], v), base(i + 1, v) - closing[v], a[i]), Vector<Real>{});
    const Vector<Real> u = one[v].sum, closes = a_after[n - 1] * (u - start[v]);
    put(i + 1, v, one[v].x, u, closes);
    if (rounds == 1) return;
    vector_at(z[n - 1], v) = two[v].sum;
    vector_at(z[0], v) += closes;
  });
}

}  // namespace

}  // namespace doc2s
