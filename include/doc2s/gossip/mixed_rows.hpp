#pragma once
#include <array>
#include <span>
#include <utility>

#include "doc2s/gossip/gossip.hpp"

namespace doc2s {

// The numbers of a row as they come, for a loop over j that writes to[j] and reads no other of `to`:
// those that stand there,
struct NumbersInPlace {
  template <class Real>
  Real operator()(const Real* to, Index j) const {
    return to[j];
  }
};

// or those of row i of P z, where i has two neighbours, as gossip_row (row_kernel.hpp) has them to the bit:
// there too a −0 becomes 0 at first.
template <class Real>
struct MixedNumbers {
  const Real *own, *left, *right;
  Real left_weight, right_weight;

  Real operator()(const Real*, Index j) const {
    const Real x = own[j];
    return x + Real(0) + left_weight * (left[j] - x) + right_weight * (right[j] - x);
  }
};

// Rows that, where they are short, are mixed by each client when it goes on with its own: its thread has some
// of what that needs in its cache, and all threads need not meet for it. Other rows are mixed at once.
template <class Real>
class MixedRows {
 public:
  MixedRows(Gossip<Real>& gossip, ClientRange clients, Index dimension)
      : gossip_(gossip), rows_{Rows<Real>(clients, dimension), Rows<Real>({clients.first, 0}, dimension)} {
    if (gossip.mixes_rows(rows_[0])) rows_[1] = Rows<Real>(clients, dimension);
  }

  // What the clients go on with. It is to be copied, for threads that share a line of memory wait for it.
  class Turn {
   public:
    // The client's row, mixed, to be changed by it. All clients must ask once, in this way or the next.
    std::span<Real> row(int client) const {
      if (unmixed_) gossip_->mix_row(client, *unmixed_, *rows_);
      return rows_->row(client);
    }

    std::span<Real> of(int client) const { return rows_->row(client); }  // when it has asked

    // go_on(numbers, to), which fills the client's row `to` from its mixed numbers: where these come from few
    // rows, they are not written and read again before.
    template <class GoOn>
    auto row(int client, const GoOn& go_on) const {
      const auto neighbours = gossip_->neighbours(client);
      if (!unmixed_ || neighbours.size() != 2) return go_on(NumbersInPlace(), row(client).data());
      const auto from = [&](int i) { return unmixed_->row(i).data(); };
      const auto &left = neighbours[0], &right = neighbours[1];
      return go_on(
          MixedNumbers<Real>{from(client), from(left.client), from(right.client), left.weight, right.weight},
          rows_->row(client).data());
    }

   private:
    friend MixedRows;
    Turn(Gossip<Real>& gossip, Rows<Real>* unmixed, Rows<Real>& rows)
        : gossip_(&gossip), unmixed_(unmixed), rows_(&rows) {}

    Gossip<Real>* gossip_;
    Rows<Real>* unmixed_;  // null where all are mixed
    Rows<Real>* rows_;
  };
  Turn turn() { return {gossip_, std::exchange(mixed_, true) ? nullptr : &rows_[1 - now_], rows_[now_]}; }

  // rows ← P rows, by the time that somebody asks for them
  void mix() {
    if (!gossip_.mixes_rows(rows_[now_])) return gossip_.mix(rows_[now_]);
    gossip_.count_mix(rows_[now_]);
    now_ = 1 - now_;
    mixed_ = false;
  }

  // between two turns
  Rows<Real>& all() {
    const ClientRange clients = rows_[now_].clients();
    const Turn all = turn();
    for (int i = clients.first; i < clients.end(); ++i) all.row(i);
    return rows_[now_];
  }

  // to be filled anew: what was to be mixed is forgotten
  Rows<Real>& anew() {
    mixed_ = true;
    return rows_[now_];
  }

 private:
  Gossip<Real>& gossip_;
  std::array<Rows<Real>, 2> rows_;  // the second has none where all are mixed at once
  int now_ = 0;
  bool mixed_ = true;  // else rows_[now_] is still to come from the others
};

}  // namespace doc2s
