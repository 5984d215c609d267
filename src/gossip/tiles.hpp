#pragma once
#include <span>

#include "chain.hpp"
#include "doc2s/base/rows.hpp"
#include "row_kernel.hpp"

namespace doc2s {

// All R rounds on a tile of columns while it is in cache, all clients' rows at once. Rows end at a cache
// line: what is between a row's last number and that end is zero, stays zero, and makes all widths alike.
template <class Real>
class Tiles {
 public:
  explicit Tiles(const Recursion<Real>& recursion);  // which outlives this

  // How a block of rows is cut.
  struct Cut {
    bool as_chain;  // whether rounds go down the rows (chain_kernel.hpp)
    Index columns;  // of the rows, whole cache lines
    Index width;    // columns a tile

    Index tiles() const { return (columns + width - 1) / width; }
  };
  Cut cut(const Rows<Real>& z) const;
  bool narrow() const { return narrow_; }  // clients are so many that tiles tear rows into short pieces

  // One tile. The next one is fetched on the way where `then_next`.
  void mix(Rows<Real>& z, const Cut& cut, Index tile, bool then_next) const;

  void mix_scalars(std::span<Real> c) const;  // one number a client

 private:
  using Strided = StridedRows<Real>;
  void mix_tile(Strided z, bool as_chain, Index width, Index next) const;
  bool narrow_round(Index width, Strided z, Strided before, Strided target, Strided next) const;
  void wide_round(int r, bool as_chain, Index width, Strided z, Strided before, Strided target, Strided next,
                  Index next_width) const;
  Index width(bool as_chain) const;
  bool chain_pays(Index bytes) const;

  const Recursion<Real>& recursion_;
  const int n_;
  const bool narrow_;
  Chain chain_;
};

}  // namespace doc2s
