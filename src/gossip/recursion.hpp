// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "doc2s/network/network.hpp"

namespace doc2s {

// A neighbour j of a client i.
template <class Real>
struct GossipTerm {
  int client;
  Real weight;  // c p_ij
};

// What a round of gossip computes: z_i ← z_i + d (z_i − b_i) + Σ_{j≠i} c p_ij (z_j − z_i), b the rows of the
// round before. The diagonal of P is not needed.
template <class Real>
struct Recursion {
  Real d;
  std::vector<Index> offsets{0};        // where each client's neighbours begin
  std::vector<GossipTerm<Real>> terms;  // the neighbours of each client, ascending

  Recursion() : d(0) {}  // of a plain round, yet without terms
  Recursion(const Network& network, RoundStep step) : d(static_cast<Real>(step.d)) {
    for (int i = 0; i < network.clients(); ++i) {
      for (const auto& [j, weight] : network.P.row(i))
        if (j != i) terms.push_back({j, static_cast<Real>(step.c * weight)});
      offsets.push_back(std::ssize(terms));
    }
  }

  int clients() const { return static_cast<int>(std::ssize(offsets)) - 1; }
  std::span<const GossipTerm<Real>> neighbours(int i) const {
    return {terms.data() + offsets[i], terms.data() + offsets[i + 1]};
  }
};

// The rounds of a network that stays: those that differ, the last of which is that of all further rounds.
template <class Real>
std::vector<Recursion<Real>> recursions_of(const Network& network, const Rounds& rounds) {
  RoundSteps steps(rounds);
  std::vector<RoundStep> different{steps.next()};
  while (std::ssize(different) < rounds.count) {
    const RoundStep next = steps.next();
    if (next == different.back()) break;
    different.push_back(next);
  }
  std::vector<Recursion<Real>> recursions;
  for (const RoundStep& step : different) recursions.emplace_back(network, step);
  return recursions;
}

// R rounds one after the other.
template <class Real>
struct RoundList {
  std::span<const Recursion<Real>> different;  // the last one is that of all further rounds
  int count = 0;                               // R

  const Recursion<Real>& operator[](int r) const {
    return different[std::min<std::size_t>(r, different.size() - 1)];
  }
  int clients() const { return different.front().clients(); }
};

}  // namespace doc2s
