#pragma once
#include <vector>

#include "doc2s/base/rows.hpp"
#include "doc2s/network/network.hpp"

namespace doc2s {

template <class Real>
class Transport;

// n rows of which all are multiples of one: row i is c_i v.
template <class Real>
struct OneRow {
  std::vector<Real> c;  // n scalars
  std::vector<Real> v;  // d numbers

  OneRow(int n, Index d) : c(n), v(d) {}
  void clear() { std::fill(c.begin(), c.end(), Real(0)); }
};

// What gossip cost by the method's own definition: every round sends a whole row over every edge, both ways.
struct Traffic {
  Index rounds = 0;
  Index bytes = 0;
};

// FastGossip(z, P, R): z⁽⁻¹⁾ = z⁽⁰⁾, z⁽ʳ⁺¹⁾ = (1 + φ) P z⁽ʳ⁾ − φ z⁽ʳ⁻¹⁾; with φ = 0 plain gossip z ← P z, R
// times.
template <class Real>
class Gossip {
 public:
  Gossip(const Network& network, Rounds rounds, Transport<Real>& transport, Traffic& traffic);

  // z ← FastGossip(z, P, R), from start to finish; in between z is not to be touched.
  void start(Rows<Real>& z);
  void finish(Rows<Real>& z);
  void mix(Rows<Real>& z) { start(z), finish(z); }

  // FastGossip of rows that are zero but for row i, which is v: afterwards row j is c_j v.
  void spread(int i, OneRow<Real>& Delta);

 private:
  struct Term {
    int client;
    Real weight;  // (1 + φ) p_ij
  };

  void round(const Real* z, Index z_stride, Real* target, Index target_stride, const Real* before,
             Index before_stride, Index width) const;
  void all_rounds(Real* rows, Index stride, Real* scratch, Index width) const;
  void count(Index dimension);

  std::vector<Index> offsets_;
  std::vector<Term> terms_;  // the neighbours of each client, ascending
  int rounds_;
  Real phi_;
  Index messages_per_round_;  // directed edges
  Transport<Real>& transport_;
  Traffic& traffic_;
  std::vector<Real> scratch_c_;
};

}  // namespace doc2s
