// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "base/function_ref.hpp"
#include "doc2s/base/large_memory.hpp"
#include "doc2s/base/rows.hpp"
#include "doc2s/gossip/peers.hpp"
#include "recursion.hpp"

namespace doc2s {

// n rows that are multiples of one: row i is c_i v.
template <class Real>
struct RankOneRows {
  std::vector<Real> c;  // n scalars
  LargeVector<Real> v;  // d numbers

  RankOneRows(int n, Index d) : c(n), v(d) {}
  void clear() { std::fill(c.begin(), c.end(), Real(0)); }
};

template <class Real>
class ChangingRounds;
template <class Real>
class Tiles;
template <class Real>
class Stages;
template <class Real>
class Flood;

// FastGossip(z, P, R): z⁽⁻¹⁾ = z⁽⁰⁾, z⁽ʳ⁺¹⁾ = (1 + φ) P z⁽ʳ⁾ − φ z⁽ʳ⁻¹⁾; with φ = 0 plain gossip z ← P z, R
// times; or other rounds of the same form (RoundStep). Where the network changes, gossip is plain, each round
// with the P of its own, and the rounds counted in `traffic` number the next one.
template <class Real>
class Gossip {
 public:
  // `changing`: null where P stays
  Gossip(const Network& network, Rounds rounds, Transport<Real>& transport, Traffic& traffic,
         ChangingRounds<Real>* changing = nullptr);
  ~Gossip();

  // What is done on the way. `along(i, first, end)` sees z_i in these columns just before they are mixed, so
  // that they come from memory once for both; it is called for every client here and all columns in some
  // order, by any of the threads. `beside()` needs no z and changes nothing that `along` needs: one of the
  // threads does it while others mix, or while rows arrive from other processes.
  struct Work {
    FunctionRef<void(int client, Index first, Index end)> along = {};
    FunctionRef<void()> beside = {};
  };

  // z ← FastGossip(z, P, R)
  void mix(Rows<Real>& z, const Work& work = {});

  // Delta ← FastGossip of rows that are zero but for row i, which is v: row j is c_j v. Takes v, and leaves
  // another vector of the same length. Where c_j is not 0 the process of client j gets v.
  void spread(int i, LargeVector<Real>& v, RankOneRows<Real>& Delta);

 private:
  struct Coefficient {
    int client;
    Real c;
  };
  using Coefficients = std::vector<Coefficient>;

  void mix_now(Rows<Real>& z, const Work& work);
  void mix_here(Rows<Real>& z, const Work& work) const;
  void mix_part(Rows<Real>& z, const Work& work, Index first_tile, Index end_tile) const;
  void do_along(const Rows<Real>& z, const Work& work) const;
  const Coefficients& coefficients_of(int i);
  void spread_over_changes(int i, RankOneRows<Real>& Delta);
  int prepare(int most, Index dimension);
  void count(int rounds, Index numbers);

  const int R_;
  const std::vector<Recursion<Real>> recursions_;
  RoundList<Real> rounds_;  // those to come
  ChangingRounds<Real>* const changing_;
  Index messages_per_round_;  // directed edges
  Transport<Real>& transport_;
  Traffic& traffic_;
  std::vector<Coefficients> kept_;  // c ≠ 0 after a spread from each client, once it was asked for
  Coefficients passing_;            // the same of one client, where they are too many to keep
  Index numbers_kept_ = 0;
  Rows<Real> c_;  // n×1, for c where it is new each time
  std::unique_ptr<Tiles<Real>> tiles_;
  Index tiles_at_once_ = 0;               // that Work::along goes along with; 0: it sees whole rows, before
  std::unique_ptr<Stages<Real>> stages_;  // these two only where clients live in other processes
  std::unique_ptr<Flood<Real>> flood_;
};

}  // namespace doc2s
