#pragma once
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "doc2s/base/large_memory.hpp"
#include "doc2s/base/rows.hpp"
#include "doc2s/gossip/recursion.hpp"
#include "doc2s/network/network.hpp"

namespace doc2s {

class Threads;
template <class Real>
class Transport;

// n rows of which all are multiples of one: row i is c_i v.
template <class Real>
struct OneRow {
  std::vector<Real> c;  // n scalars
  LargeVector<Real> v;  // d numbers

  OneRow(int n, Index d) : c(n), v(d) {}
  void clear() { std::fill(c.begin(), c.end(), Real(0)); }
};

// What gossip cost by the method's own definition: every round sends a whole row over every edge, both ways.
struct Traffic {
  Index rounds = 0;
  Index bytes = 0;
};

template <class Real>
class Tiles;
template <class Real>
class Patches;
template <class Real>
class Stages;
template <class Real>
class Flood;

// FastGossip(z, P, R): z⁽⁻¹⁾ = z⁽⁰⁾, z⁽ʳ⁺¹⁾ = (1 + φ) P z⁽ʳ⁾ − φ z⁽ʳ⁻¹⁾; with φ = 0 plain gossip z ← P z, R
// times.
template <class Real>
class Gossip {
 public:
  Gossip(const Network& network, Rounds rounds, Transport<Real>& transport, Traffic& traffic);
  ~Gossip();

  // z ← FastGossip(z, P, R)
  void mix(Rows<Real>& z) { mix_and(z, nullptr, nullptr); }
  // The same, with work along the way. `before(i, first, end)` sees z_i in these columns just before they are
  // mixed, so that they come from memory once for both; it is called for every client here and all columns in
  // some order, by any of the threads. `meanwhile()` needs no z and changes nothing that `before` needs: one
  // of the threads does it while others mix, or while rows are under way from other processes.
  template <class Before, class Meanwhile>
  void mix(Rows<Real>& z, const Before& before, const Meanwhile& meanwhile) {
    mix_and(z, std::cref(before), std::cref(meanwhile));
  }

  // Row i of `mixed` ← that of FastGossip(z, P, R), where mixes_rows(z): different rows at the same time.
  // Somebody says count_mix(z) once for all of them.
  void mix_row(int i, Rows<Real>& z, Rows<Real>& mixed) const;
  bool mixes_rows(const Rows<Real>& z) const;
  void count_mix(const Rows<Real>& z) { count(z.dimension()); }
  std::span<const GossipTerm<Real>> neighbours(int i) const { return recursion_.neighbours(i); }  // ascending

  const Threads& threads() const;  // that mix

  // FastGossip of rows that are zero but for row i, which is v: afterwards row j is c_j v. Where c_j is not 0
  // the process of client j has v.
  void spread(int i, OneRow<Real>& Delta);

 private:
  struct Share {
    int client;
    Real c;
  };
  using Shares = std::vector<Share>;

  using Before = std::function<void(int client, Index first, Index end)>;
  using Meanwhile = std::function<void()>;
  void mix_tiles(Rows<Real>& z, const Before& before, const Meanwhile& meanwhile) const;
  void mix_patches(Rows<Real>& z, const Before& before, const Meanwhile& meanwhile);
  template <class Mix>
  void each_beside(const Meanwhile& meanwhile, Index work, Index parts, const Mix& mix) const;
  void call_for_whole_rows(const Rows<Real>& z, const Before& before) const;
  void mix_and(Rows<Real>& z, const Before& before, const Meanwhile& meanwhile);
  const Shares& shares_of(int i);
  void count(Index dimension);

  const Recursion<Real> recursion_;
  Index messages_per_round_;  // directed edges
  Transport<Real>& transport_;
  Traffic& traffic_;
  std::vector<Shares> known_shares_;  // c ≠ 0 after a spread from each client, once it was asked for
  Shares passing_shares_;             // the same of one client, where they are too many to keep
  Index shares_kept_ = 0;
  std::unique_ptr<Tiles<Real>> tiles_;
  std::unique_ptr<Patches<Real>> patches_;  // null: few clients, or neighbours' numbers are far apart
  std::unique_ptr<Stages<Real>> stages_;    // these two only where clients live in other processes
  std::unique_ptr<Flood<Real>> flood_;
};

}  // namespace doc2s
