#pragma once
#include <array>
#include <span>
#include <utility>

#include "gossip.hpp"

namespace doc2s {

// Rows that one round of gossip mixes. Long rows are mixed at once; short ones when their client first reads
// its own, which saves a barrier and finds some of the numbers in its thread's cache.
template <class Real>
class LazyRows {
 public:
  LazyRows(Gossip<Real>& gossip, ClientRange clients, Index dimension)
      : gossip_(gossip), sides_{Rows<Real>(clients, dimension), Rows<Real>({0, 0}, dimension)} {
    by_rows_ = gossip.mixes_rows(sides_[0]);
    if (by_rows_) sides_[1] = Rows<Real>(clients, dimension);
  }

  // The rows of one iteration; every client here asks for its own once, and gets it mixed. Threads copy the
  // view.
  class View {
   public:
    View(const Gossip<Real>* gossip, Rows<Real>& before, Rows<Real>& now)
        : gossip_(gossip), before_(&before), now_(&now) {}
    std::span<Real> operator[](int client) const {
      if (gossip_) gossip_->mix_row(client, *before_, *now_);
      return now_->row(client);
    }

   private:
    const Gossip<Real>* gossip_;  // null: the rows are mixed
    Rows<Real>*before_, *now_;
  };
  View view() {
    return {std::exchange(pending_, false) ? &gossip_ : nullptr, sides_[1 - now_], sides_[now_]};
  }

  // rows ← P rows, by the time that somebody asks for them
  void mix() {
    if (!by_rows_) return gossip_.mix(sides_[now_]);
    gossip_.count_mix(sides_[now_]);
    now_ = 1 - now_;
    pending_ = true;
  }

  Rows<Real>& all() {
    const View rows = view();
    const ClientRange clients = sides_[now_].clients();
    for (int i = clients.first; i < clients.end(); ++i) rows[i];
    return sides_[now_];
  }

  // To be filled anew: what was to be mixed is dropped.
  Rows<Real>& fresh() {
    pending_ = false;
    return sides_[now_];
  }

 private:
  Gossip<Real>& gossip_;
  bool by_rows_;
  std::array<Rows<Real>, 2> sides_;
  alignas(64) int now_ = 0;  // changes while other threads read what is above
  bool pending_ = false;     // rows of this side are still to be computed from the other's
};

}  // namespace doc2s
