#pragma once
#ifdef __FMA__
#include <immintrin.h>
#endif

#include <type_traits>

#include "chain.hpp"
#include "row_kernel.hpp"

namespace doc2s {

#ifdef __AVX__
constexpr int chain_vector_bytes = 32;
#else
constexpr int chain_vector_bytes = 16;
#endif
template <class Real>
using ChainVector [[gnu::vector_size(chain_vector_bytes), gnu::aligned(sizeof(Real)), gnu::may_alias]] = Real;

// a + b as 1·a + b, rounded once, so the same bits. Some processors add in other parts of them than they
// multiply in, and a round has more sums than products.
template <class Real>
ChainVector<Real> sum_by_multiplier(const ChainVector<Real>& a, const ChainVector<Real>& b) {
#ifdef __FMA__
  ChainVector<Real> one = ChainVector<Real>{} + 1;
  asm("" : "+x"(one));  // else the compiler would add
  if constexpr (std::is_same_v<Real, float>)
    return reinterpret_cast<ChainVector<Real>>(_mm256_fmadd_ps(
        reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(one), reinterpret_cast<__m256>(b)));
  else
    return reinterpret_cast<ChainVector<Real>>(_mm256_fmadd_pd(
        reinterpret_cast<__m256d>(a), reinterpret_cast<__m256d>(one), reinterpret_cast<__m256d>(b)));
#else
  return a + b;
#endif
}

// The rows of a round for a chain: a few lines of the cache at a time down the rows, so that a row is read
// once for its own sake and its neighbours', and the product of an edge serves both its ends. It pays where
// the rows are in the first cache.
//
// These are gossip_row's bits. What i − 1 adds is a (z_{i−1} − z_i), here −a (z_i − z_{i−1}): the same but
// for equal rows, where it is −0 instead of +0, and that makes no difference to any sum but −0. No sum is −0:
// x + y is only where both are, z + φ (z − z) = z + 0 of the first round is not, for φ ≥ 0, and so no later z
// is either. Where z is infinite, that would be NaN; here the neighbours make it so.
template <int lines, bool first_round, bool is_ring, class Real>
[[gnu::noinline]] void mix_chain_lines(const GossipTerm<Real>* term, Chain chain, Real phi,
                                       StridedRows<Real> z, StridedRows<Real> before,
                                       StridedRows<Real> target) {
  using Vector = ChainVector<Real>;
  constexpr int vectors = lines * line_bytes / chain_vector_bytes;
  const auto at = [](Real* row, int v) -> Vector& { return reinterpret_cast<Vector*>(row)[v]; };
  const auto each = [](auto work) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) work(v);
  };
  Vector own[vectors], edge[vectors], closing[vectors];  // edge = a (z_i − z_{i−1}); z_{n−1} − z_0 closes
  const auto start = [&](int i, int v) {                 // z_i + φ (z_i − before_i)
    if (first_round) return sum_by_multiplier<Real>(own[v], Vector{});
    const Vector change = phi * (own[v] - at(before[i], v));
    return v % 2 == 0 ? own[v] + change : sum_by_multiplier<Real>(own[v], change);
  };
  const auto finish = [&](const Vector& sum, int v) {
    return first_round && v % 2 == 0 ? sum + edge[v] : sum_by_multiplier<Real>(sum, edge[v]);
  };
  const auto go_on = [&](int i, Real weight, int v) {  // to the edge between i and i + 1
    const Vector other = at(z[i + 1], v);
    edge[v] = weight * (other - own[v]);
    return other;
  };

  int i = chain.first;
  each([&](int v) { own[v] = at(z[i], v); });
  if constexpr (is_ring) {
    each([&](int v) {
      closing[v] = term[1].weight * (at(z[chain.last - 1], v) - own[v]);
      const Vector sum = start(i, v), other = go_on(i, term[0].weight, v);
      at(target[i], v) = sum + edge[v] + closing[v];
      own[v] = other;
    });
    ++i, term += 2;
  } else {
    each([&](int v) { edge[v] = term[0].weight * (own[v] - at(z[i - 1], v)); });
  }
  for (; i < chain.last - is_ring; ++i, term += 2) {
    const Real weight = term[1].weight;
    each([&](int v) {
      const Vector sum = start(i, v) - edge[v], other = go_on(i, weight, v);
      at(target[i], v) = finish(sum, v);
      own[v] = other;
    });
  }
  if constexpr (is_ring) each([&](int v) { at(target[i], v) = start(i, v) - closing[v] - edge[v]; });
}

// The same for `width` columns, whole cache lines. `term` is the first client's.
template <bool first_round, bool is_ring, class Real>
void mix_chain_columns(const GossipTerm<Real>* term, Chain chain, Real phi, StridedRows<Real> z,
                       StridedRows<Real> before, StridedRows<Real> target, Index width) {
  constexpr Index line = line_numbers<Real>;
  const auto mix_lines = [&]<int lines>(Index c) {
    const auto from = [c](StridedRows<Real> rows) { return StridedRows<Real>{rows.data + c, rows.stride}; };
    mix_chain_lines<lines, first_round, is_ring>(term, chain, phi, from(z), from(before), from(target));
  };
  Index c = 0;
  for (; c + 2 * line <= width; c += 2 * line) mix_lines.template operator()<2>(c);
  if (c < width) mix_lines.template operator()<1>(c);
}

template <class Real>
void mix_chain(const GossipTerm<Real>* term, Chain chain, bool first_round, Real phi, StridedRows<Real> z,
               StridedRows<Real> before, StridedRows<Real> target, Index width) {
  const auto mix = [&]<bool first, bool is_ring>() {
    mix_chain_columns<first, is_ring>(term, chain, phi, z, before, target, width);
  };
  if (chain.is_ring)
    first_round ? mix.template operator()<true, true>() : mix.template operator()<false, true>();
  else
    first_round ? mix.template operator()<true, false>() : mix.template operator()<false, false>();
}

}  // namespace doc2s
