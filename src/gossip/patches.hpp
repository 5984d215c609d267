#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "doc2s/base/rows.hpp"
#include "row_kernel.hpp"

namespace doc2s {

// Some clients in a row and around them all within R edges, whose rows R rounds on the former need.
template <class Real>
struct Patch {
  ClientRange inner;
  std::vector<int> clients;  // inner, then the others by their distance
  std::vector<int> within;   // how many of them are at most 0, 1, …, R edges away
  std::vector<Index> offsets{0};
  std::vector<GossipTerm<Real>>
      terms;  // the neighbours of all but the farthest, by their places in `clients`
  // Where two rounds are on clients that follow each other from the second before the inner ones to the
  // second behind them, each with the next two as its only neighbours: the weights of the edges between them.
  std::vector<Real> chain;
};

// R rounds on some clients' rows at a time, while they are in cache. With many clients a tile of columns of
// all rows would be narrow; where neighbours have near numbers, as on a ring, few others' rows are needed for
// some clients' rounds, and memory is read and written along its rows. For few rounds on short rows: the more
// there is of either, the more is kept and computed twice.
template <class Real>
class Patches {
 public:
  // Null where the clients around some would be too many.
  static std::unique_ptr<Patches> of(const Recursion<Real>& recursion);

  // A mix: keep(z, k) for all 0 ≤ k < kept(), which are the rows that more than one patch needs, and then
  // mix(patch, z, φ) for all patches; either in any order or side by side.
  void open(const Rows<Real>& z);
  Index kept() const { return std::ssize(kept_clients_); }
  void keep(const Rows<Real>& z, Index k);
  const std::vector<Patch<Real>>& all() const { return patches_; }
  void mix(const Patch<Real>& patch, Rows<Real>& z, Real phi);

 private:
  void add(Patch<Real> patch);
  void mix_chain(const Patch<Real>& patch, Rows<Real>& z, Real phi);
  Real* row(const Patch<Real>& patch, Rows<Real>& z, int client);

  std::vector<Patch<Real>> patches_;
  std::vector<int> kept_clients_;  // that are around some patch
  std::vector<int> place_kept_;    // of each client, −1: not
  std::optional<Rows<Real>> kept_rows_;
};

}  // namespace doc2s
