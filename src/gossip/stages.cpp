// SPDX-License-Identifier: Apache-2.0
#include "stages.hpp"

#include <algorithm>

#include "gossip_kernels.hpp"
#include "tuning.hpp"

namespace doc2s {

template <class Real>
Stages<Real>::Stages(const Graph& graph, Transport<Real>& transport)
    : transport_(transport), halo_(graph, transport) {}

template <class Real>
void Stages<Real>::set(const RoundList<Real>& rounds, bool edges_change) {
  rounds_ = rounds;
  if (edges_change) halo_.set(rounds);
}

template <class Real>
void Stages<Real>::send(Rows<Real>& z) {
  halo_.open(z);
  for (Index block = 0; block < halo_.blocks(); ++block) halo_.exchange(block, 0, halo_.rows());
}

template <class Real>
void Stages<Real>::mix(Rows<Real>& z) {
  const Index blocks = halo_.blocks(), R = rounds_.count;
  for (Index stage = 0; stage < blocks + R - 1; ++stage)
    for (Index r = std::max<Index>(0, stage - blocks + 1); r <= std::min(stage, R - 1); ++r)
      round_of_block(stage - r, static_cast<int>(r), z);
}

template <class Real>
void Stages<Real>::round_of_block(Index block, int r, Rows<Real>& z) {
  const Index first = halo_.first(block), width = halo_.width(block);
  halo_.wait(block);
  const Index tiles = (width + tuning::stage_columns - 1) / tuning::stage_columns;
  transport_.threads().each(tiles, [&](Index tile) {
    const Index column = first + tile * tuning::stage_columns;
    round(r, z.clients(), column, std::min(tuning::stage_columns, z.in_lines() - column));
  });
  if (r + 1 < rounds_.count)
    halo_.exchange(block, r + 1, r % 2 == 0 ? halo_.scratch() : halo_.rows());
  else if (rounds_.count % 2 == 1)
    for (int i = z.clients().first; i < z.clients().end(); ++i)
      std::copy_n(halo_.scratch()[i] + first, width, z.row(i).data() + first);
}

// Round r, between the rows and scratch rows of the same shape. The first one, where z⁽⁻¹⁾ = z⁽⁰⁾, goes to
// scratch.
template <class Real>
void Stages<Real>::round(int r, ClientRange who, Index first, Index width) const {
  Real* const* const rows = halo_.rows().data();
  Real* const* const scratch = halo_.scratch().data();
  Real* const* const z = r % 2 == 0 ? rows : scratch;
  Real* const* const target = r % 2 == 0 ? scratch : rows;
  by_kernels<GossipKernels, Real>([&](auto kernels) {
    kernels.mix_round(rounds_[r], who, z, r == 0 ? z : target, target, first, width);
  });
}

template class Stages<float>;
template class Stages<double>;

}  // namespace doc2s
