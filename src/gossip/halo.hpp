// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "doc2s/network/graph.hpp"
#include "doc2s/transport/transport.hpp"
#include "recursion.hpp"

namespace doc2s {

// Copies of the rows that clients here listen to and that live in other processes. They come block by block
// of columns, so that one block is under way while another is mixed.
template <class Real>
class Halo {
 public:
  Halo(const Graph& graph, Transport<Real>& transport);

  // From now on, until others are set, round r exchanges only what its own edges carry.
  void set(const RoundList<Real>& rounds);
  void open(Rows<Real>& z);  // makes room for gossip of rows like these

  Index blocks() const { return std::ssize(under_way_); }
  Index first(Index block) const { return block * width_; }
  Index width(Index block) const { return std::min(width_, dimension_ - first(block)); }

  // Every client's row, of z or of the scratch, with the copies in their places; null where it is not known
  // here.
  const std::vector<Real*>& rows() const { return rows_; }
  const std::vector<Real*>& scratch() const { return scratch_rows_; }

  void exchange(Index block, int r, const std::vector<Real*>& rows);  // begins to, for round r
  void wait(Index block) { under_way_[block]->wait(); }

 private:
  struct Way {
    int client, rank;
  };
  struct Ways {
    std::vector<Way> out, in;  // my clients' rows and who wants them; others' rows and who has them
  };
  std::span<Real> part(Real* row, Index block) const {
    return {row + first(block), static_cast<std::size_t>(width(block))};
  }

  Transport<Real>& transport_;
  int clients_;
  Ways all_;                // over all edges
  std::vector<Ways> ways_;  // of each round; none: all of them in every round
  Index dimension_ = 0, width_ = 1;
  std::optional<Rows<Real>> copies_, scratch_;
  std::vector<Real*> rows_, scratch_rows_;
  std::vector<std::unique_ptr<Messages<Real>>> under_way_;  // one a block
};

}  // namespace doc2s
