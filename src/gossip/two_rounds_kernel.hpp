#pragma once
#include "chain_kernel.hpp"

// The first two rounds z → u → t at once, a line of the cache at a time down the rows of a chain: what the
// second round needs of the first one is still in registers. The numbers are those of two rounds of
// chain_kernel.hpp, to the bit.
namespace doc2s {

// Some columns on their way down, at row i.
template <class Real>
struct TwoRounds {
  using Vector = ChainVector<Real>;
  Vector own;   // z_i
  Vector edge;  // a (z_i − z_{i−1})
  Vector u;     // u_{i−1}
  Vector t;     // what is known of t_{i−1}: all but the edge to i

  static Vector start(const Vector& z) { return sum_by_multiplier<Real>(z, Vector{}); }  // z + φ (z − z)
  static Vector start_again(const Vector& u, const Vector& z, Real phi) {                // u + φ (u − z)
    return sum_by_multiplier<Real>(u, phi * (u - z));
  }

  // Goes on to row i + 1, which is z_{i+1} = other; the edge to it has next_weight, the one before weight.
  // Returns t_{i−1}.
  Vector go_on(const Vector& other, Real weight, Real next_weight, Real phi) {
    const Vector next_edge = next_weight * (other - own), u_before = u;
    u = sum_by_multiplier<Real>(start(own) - edge, next_edge);
    const Vector edge_of_u = weight * (u - u_before), done = sum_by_multiplier<Real>(t, edge_of_u);
    t = start_again(u, own, phi) - edge_of_u;
    edge = next_edge;
    own = other;
    return done;
  }
};

constexpr int line_vectors = static_cast<int>(line_bytes) / chain_vector_bytes;

template <class Work>
void each_line_vector(Work work) {
#pragma GCC unroll 8
  for (int v = 0; v < line_vectors; ++v) work(v);
}

template <class Real>
ChainVector<Real>& line_vector(Real* row, int v) {
  return reinterpret_cast<ChainVector<Real>*>(row)[v];
}

// All rows of a ring; `term` is the first client's. u goes to `once` where it is needed later, t to `twice`,
// which may be z. The lines `ahead` numbers to the right are fetched on the way, where that is not 0.
template <bool keeps_once, class Real>
[[gnu::noinline]] void mix_ring_line(const GossipTerm<Real>* term, int n, Real phi, StridedRows<Real> z,
                                     StridedRows<Real> once, StridedRows<Real> twice, Index ahead) {
  using Vector = ChainVector<Real>;
  TwoRounds<Real> rounds[line_vectors];
  Vector first_u[line_vectors], closing[line_vectors];  // closing = a (z_{n−1} − z_0)
  const auto keep = [&](int i, int v) {
    if (keeps_once) line_vector(once[i], v) = rounds[v].u;
  };
  const auto fetch = [&](int i) {
    if (ahead > 0) __builtin_prefetch(z[i] + ahead, 1);
  };

  Real weight = term[0].weight;  // of the edge between i and i + 1
  const Real closing_weight = term[1].weight;
  fetch(0);
  each_line_vector([&](int v) {
    const Vector own = line_vector(z[0], v), other = line_vector(z[1], v), edge = weight * (other - own);
    closing[v] = closing_weight * (line_vector(z[n - 1], v) - own);
    const Vector u = first_u[v] = rounds->start(own) + edge + closing[v];
    rounds[v] = {other, edge, u, rounds->start_again(u, own, phi)};
    keep(0, v);
  });
  int i = 1;
  for (term += 2; i < n - 1; ++i, term += 2) {
    const Real next_weight = term[1].weight;
    fetch(i);
    each_line_vector([&](int v) {
      line_vector(twice[i - 1], v) = rounds[v].go_on(line_vector(z[i + 1], v), weight, next_weight, phi);
      keep(i, v);
    });
    weight = next_weight;
  }
  fetch(i);
  each_line_vector([&](int v) {
    auto& [own, edge, u, t] = rounds[v];
    const Vector u_before = u;
    u = rounds->start(own) - closing[v] - edge;
    keep(i, v);
    const Vector edge_of_u = weight * (u - u_before), closing_of_u = closing_weight * (u - first_u[v]);
    line_vector(twice[i - 1], v) = t + edge_of_u;
    line_vector(twice[i], v) = rounds->start_again(u, own, phi) - closing_of_u - edge_of_u;
    line_vector(twice[0], v) += closing_of_u;
  });
}

// The same for `width` columns, whole cache lines, of which the `next` ones to the right are fetched. `once`
// is null where nobody needs u.
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

// Rows 2 ≤ i < count − 2 of a chain take the place of what they were, `column` and the rest of a line.
// weight[i] is that of the edge between i and i + 1.
template <class Real>
[[gnu::noinline]] void mix_inner_line(const Real* weight, Real* const* rows, int count, Real phi,
                                      Index column, Index ahead) {
  using Vector = ChainVector<Real>;
  TwoRounds<Real> rounds[line_vectors];
  const auto z = [&](int i, int v) -> Vector& { return line_vector(rows[i] + column, v); };
  const auto go_on = [&](int i, int v) {
    return rounds[v].go_on(z(i + 1, v), weight[i - 1], weight[i], phi);
  };
  each_line_vector([&](int v) {
    rounds[v] = {z(1, v), weight[0] * (z(1, v) - z(0, v)), Vector{}, Vector{}};
    go_on(1, v);  // what is before row 2 lacks a neighbour: t_0 and t_1 are not it
    go_on(2, v);
  });
  for (int i = 3; i < count - 1; ++i) {
    if (ahead > 0) __builtin_prefetch(rows[i - 1] + column + ahead, 1);
    each_line_vector([&](int v) { z(i - 1, v) = go_on(i, v); });
  }
}

}  // namespace doc2s
