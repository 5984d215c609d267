#pragma once
#include "chain_kernel.hpp"

namespace doc2s {

// The first two rounds z → u → t at once for a ring, a line of the cache down the rows: what the second round
// needs of the first one is still in registers. In chain_kernel.hpp's notation, with the bits of two rounds
// there. u goes to `once` where it is needed later, t to `twice`, which may be z. The lines `ahead` numbers to
// the right are fetched on the way, where that is not 0.
template <bool keeps_once, class Real>
[[gnu::noinline]] void mix_ring_line(const GossipTerm<Real>* term, int n, Real phi, StridedRows<Real> z,
                                     StridedRows<Real> once, StridedRows<Real> twice, Index ahead) {
  using Vector = ChainVector<Real>;
  constexpr int vectors = line_bytes / chain_vector_bytes;
  const auto at = [](Real* row, int v) -> Vector& { return reinterpret_cast<Vector*>(row)[v]; };
  const auto each = [](auto work) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) work(v);
  };
  const auto sum = [](const Vector& a, const Vector& b) { return sum_by_multiplier<Real>(a, b); };

  // edge = a (z_i − z_{i−1}), t is what is known of t_{i−1}
  Vector own[vectors], edge[vectors], u[vectors], t[vectors], first_u[vectors], closing[vectors];
  const auto start = [&](int v) { return sum(own[v], Vector{}); };               // z_i + φ (z_i − z_i)
  const auto go_on = [&](int v) { return sum(u[v], phi * (u[v] - own[v])); };    // u_i + φ (u_i − z_i)
  const auto keep = [&](int i, int v) {
    if (keeps_once) at(once[i], v) = u[v];
  };
  const auto fetch = [&](int i) {
    if (ahead > 0) __builtin_prefetch(z[i] + ahead, 1);
  };

  Real weight = term[0].weight;  // of the edge between i and i + 1
  const Real closing_weight = term[1].weight;
  fetch(0);
  each([&](int v) {
    own[v] = at(z[0], v);
    const Vector other = at(z[1], v);
    edge[v] = weight * (other - own[v]);
    closing[v] = closing_weight * (at(z[n - 1], v) - own[v]);
    u[v] = first_u[v] = start(v) + edge[v] + closing[v];
    keep(0, v);
    t[v] = go_on(v);
    own[v] = other;
  });
  int i = 1;
  for (term += 2; i < n - 1; ++i, term += 2) {
    const Real next_weight = term[1].weight;
    fetch(i);
    each([&](int v) {
      const Vector other = at(z[i + 1], v), next_edge = next_weight * (other - own[v]), u_before = u[v];
      u[v] = sum(start(v) - edge[v], next_edge);
      keep(i, v);
      const Vector edge_of_u = weight * (u[v] - u_before);
      at(twice[i - 1], v) = sum(t[v], edge_of_u);
      t[v] = go_on(v) - edge_of_u;
      edge[v] = next_edge;
      own[v] = other;
    });
    weight = next_weight;
  }
  fetch(i);
  each([&](int v) {
    const Vector u_before = u[v];
    u[v] = start(v) - closing[v] - edge[v];
    keep(i, v);
    const Vector edge_of_u = weight * (u[v] - u_before), closing_of_u = closing_weight * (u[v] - first_u[v]);
    at(twice[i - 1], v) = t[v] + edge_of_u;
    at(twice[i], v) = go_on(v) - closing_of_u - edge_of_u;
    at(twice[0], v) += closing_of_u;
  });
}

// The same for `width` columns, whole cache lines, of which the `next` ones to the right are fetched. `term` is
// the first client's; `once` is null where nobody needs u.
template <class Real>
void mix_ring_twice(const GossipTerm<Real>* term, int n, Real phi, StridedRows<Real> z,
                    const StridedRows<Real>* once, StridedRows<Real> twice, Index width, Index next) {
  for (Index c = 0; c < width; c += line_numbers<Real>) {
    const auto from = [c](StridedRows<Real> rows) { return StridedRows<Real>{rows.data + c, rows.stride}; };
    const Index ahead = c < next ? width : 0;
    if (once)
      mix_ring_line<true>(term, n, phi, from(z), from(*once), from(twice), ahead);
    else
      mix_ring_line<false>(term, n, phi, from(z), from(z), from(twice), ahead);
  }
}

}  // namespace doc2s
