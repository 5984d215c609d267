// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/base/rows.hpp"
#include "doc2s/base/threads.hpp"
#include "doc2s/transport/in_process.hpp"
#include "gossip/gossip.hpp"

namespace doc2s::bench {

// Normal numbers, identical in every run.
template <class Real>
void fill_with_normals(Rows<Real>& rows);

// to = from, by memcpy on all threads: the memory bandwidth limit.
template <class Real>
void copy_rows(const Rows<Real>& from, Rows<Real>& to, Threads& threads);

// This library's FastGossip on a network, in place.
template <class Real>
class OurGossip {
 public:
  OurGossip(const Network& network, int R, Threads& threads)
      : transport_(network.clients(), threads),
        gossip_(network, network.rounds("chebyshev", R), transport_, traffic_) {}
  void mix(Rows<Real>& z) { gossip_.mix(z); }

 private:
  Traffic traffic_;
  InProcess<Real> transport_;
  Gossip<Real> gossip_;
};

// Largest difference, in a sample of columns, between `mixed` and R rounds on `z` with the dense matrix in
// double, relative to the largest entry.
template <class Real>
double error_against_dense(const Network& network, int R, const Rows<Real>& z, const Rows<Real>& mixed);

}  // namespace doc2s::bench
