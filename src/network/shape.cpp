// SPDX-License-Identifier: Apache-2.0
#include "doc2s/network/shape.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace doc2s {

namespace {

int on_a_cycle(int length, int a, int b) {
  const int apart = std::abs(a - b);
  return std::min(apart, length - apart);
}

int divided_up(int a, int b) { return (a + b - 1) / b; }

int bits_of(int clients) { return std::bit_width(static_cast<unsigned>(clients)) - 1; }

// Ordered pairs exactly h apart on a line or cycle of some length.
Index pairs_on_a_line(int length, int h) { return h == 0 ? length : 2 * Index{std::max(length - h, 0)}; }

Index pairs_on_a_cycle(int length, int h) {
  if (2 * h > length) return 0;
  return h == 0 || 2 * h == length ? length : 2 * Index{length};
}

// Ordered pairs of a product of two lines or two cycles at most `hops` apart.
template <class Pairs>
Index pairs_on_a_lattice(int rows, int columns, int hops, Pairs pairs) {
  Index sum = 0, beside = 0;
  int reached = -1;
  for (int down = std::min(hops, rows); down >= 0; --down) {
    while (reached < std::min(hops - down, columns)) beside += pairs(columns, ++reached);
    sum += pairs(rows, down) * beside;
  }
  return sum;
}

Index pairs_on_a_hypercube(int clients, int hops) {
  const int bits = bits_of(clients);
  Index sum = 0, choices = 1;  // bits over k
  for (int k = 0; k <= std::min(hops, bits); ++k) {
    sum += choices;
    choices = choices * (bits - k) / (k + 1);
  }
  return clients * sum;
}

}  // namespace

int Shape::hops(int a, int b) const {
  if (a == b) return 0;
  switch (kind) {
    case Kind::ring:
      return divided_up(on_a_cycle(clients, a, b), half);
    case Kind::star:
      return a == 0 || b == 0 ? 1 : 2;
    case Kind::path:
      return std::abs(a - b);
    case Kind::grid:
      return std::abs(a / columns() - b / columns()) + std::abs(a % columns() - b % columns());
    case Kind::torus:
      return on_a_cycle(rows, a / columns(), b / columns()) +
             on_a_cycle(columns(), a % columns(), b % columns());
    case Kind::hypercube:
      return std::popcount(static_cast<unsigned>(a ^ b));
    default:
      return 1;
  }
}

int Shape::depth() const {
  if (clients == 1) return 0;
  switch (kind) {
    case Kind::ring:
      return divided_up(clients / 2, half);
    case Kind::path:
      return clients - 1;
    case Kind::grid:
      return rows + columns() - 2;
    case Kind::torus:
      return rows / 2 + columns() / 2;
    case Kind::hypercube:
      return bits_of(clients);
    default:
      return 1;
  }
}

int Shape::diameter() const { return kind == Kind::star ? std::min(clients - 1, 2) : depth(); }

Index Shape::pairs_within(int hops) const {
  const Index n = clients, most = std::min<Index>(hops, n);
  switch (kind) {
    case Kind::ring:
      return n * std::min(n, 2 * most * half + 1);
    case Kind::star:
      return most == 0 ? n : most == 1 ? 3 * n - 2 : n * n;
    case Kind::path:
      return n + (most < n ? most * (2 * n - 1 - most) : n * (n - 1));
    case Kind::grid:
      return pairs_on_a_lattice(rows, columns(), hops, pairs_on_a_line);
    case Kind::torus:
      return pairs_on_a_lattice(rows, columns(), hops, pairs_on_a_cycle);
    case Kind::hypercube:
      return pairs_on_a_hypercube(clients, hops);
    default:
      return most == 0 ? n : n * n;
  }
}

}  // namespace doc2s
