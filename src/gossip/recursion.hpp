// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "doc2s/network/network.hpp"

namespace doc2s {

// A neighbour j of a client i.
template <class Real>
struct GossipTerm {
  int client;
  Real weight;  // (1 + φ) p_ij
};

// What R rounds of gossip compute: z⁽ʳ⁺¹⁾ = (1 + φ) P z⁽ʳ⁾ − φ z⁽ʳ⁻¹⁾, with z⁽⁻¹⁾ = z⁽⁰⁾. The diagonal of P
// is not needed, as rounds are computed by differences (row_kernel.hpp).
template <class Real>
struct Recursion {
  int rounds;  // R
  Real phi;
  std::vector<Index> offsets{0};        // where each client's neighbours begin
  std::vector<GossipTerm<Real>> terms;  // the neighbours of each client, ascending

  Recursion() : rounds(1), phi(0) {}  // of a plain round, yet without terms
  Recursion(const Network& network, Rounds how) : rounds(how.count), phi(static_cast<Real>(how.phi)) {
    for (int i = 0; i < network.clients(); ++i) {
      for (const auto& [j, weight] : network.P.row(i))
        if (j != i) terms.push_back({j, static_cast<Real>((1 + how.phi) * weight)});
      offsets.push_back(std::ssize(terms));
    }
  }

  int clients() const { return static_cast<int>(std::ssize(offsets)) - 1; }
  std::span<const GossipTerm<Real>> neighbours(int i) const {
    return {terms.data() + offsets[i], terms.data() + offsets[i + 1]};
  }
};

// Rounds one after the other: R of one recursion, or one each of several.
template <class Real>
struct RoundList {
  const Recursion<Real>* first = nullptr;
  int count = 0;   // R
  Index step = 0;  // to the next one's; 0: all have the same

  const Recursion<Real>& operator[](int r) const { return first[r * step]; }
  int clients() const { return first->clients(); }
};

}  // namespace doc2s
