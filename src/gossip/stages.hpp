// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "halo.hpp"
#include "recursion.hpp"

namespace doc2s {

// R rounds where some neighbours live in other processes. Their rows come in blocks of columns: block b does
// round r in stage b + r, so what it needs was sent a stage before.
template <class Real>
class Stages {
 public:
  // The transport outlives this.
  Stages(const Graph& graph, Transport<Real>& transport);

  // The rounds to come, which stay until others are set. `edges_change`: a row goes only where an edge of its
  // round leads.
  void set(const RoundList<Real>& rounds, bool edges_change);

  void send(Rows<Real>& z);  // what others need for their first round
  void mix(Rows<Real>& z);   // call after send()

 private:
  void round_of_block(Index block, int r, Rows<Real>& z);
  void round(int r, ClientRange who, Index first, Index width) const;

  RoundList<Real> rounds_;
  Transport<Real>& transport_;
  Halo<Real> halo_;
};

}  // namespace doc2s
