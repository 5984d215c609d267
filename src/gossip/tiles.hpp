// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/base/rows.hpp"
#include "ring.hpp"

namespace doc2s {

// All R rounds on a tile of columns while it is in cache, all clients' rows at once. A row is padded with
// zeros to a whole cache line; they stay zero and make all widths alike.
template <class Real>
class Tiles {
 public:
  explicit Tiles(const RoundList<Real>& rounds);  // whose recursions outlive this
  explicit Tiles(int clients);                    // without rounds before they are set

  void set(const RoundList<Real>& rounds) { rounds_ = rounds; }

  Index width() const { return width_; }  // columns a tile
  Index count(const Rows<Real>& z) const { return (z.in_lines() + width_ - 1) / width_; }

  // One tile. The next one is fetched on the way where `then_next`.
  void mix(Rows<Real>& z, Index tile, bool then_next) const;

 private:
  RoundList<Real> rounds_;
  const std::vector<Ring<Real>> rings_;  // none where rounds are set
  const Index width_;
};

}  // namespace doc2s
