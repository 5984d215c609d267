#pragma once
#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "doc2s/base/threads.hpp"
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
  const Real *own = nullptr, *left = nullptr, *right = nullptr;
  Real left_weight = 0, right_weight = 0;

  Real operator()(const Real*, Index j) const {
    const Real x = own[j];
    return x + Real(0) + left_weight * (left[j] - x) + right_weight * (right[j] - x);
  }
};

// Rows that, where they are short, are mixed by each client when it goes on with its own: its thread has some
// of what that needs in its cache, and all threads need not meet for it. Other rows are mixed at once.
// A thread that writes a line which another one has read waits for it. So other threads' rows are read from
// copies, which their clients make.
template <class Real>
class MixedRows {
 public:
  MixedRows(Gossip<Real>& gossip, ClientRange clients, Index dimension)
      : gossip_(gossip), sides_{Side(clients, dimension), Side(dimension)}, copied_(clients.count) {
    by_rows_ = gossip.mixes_rows(sides_[0].rows);
    if (!by_rows_) return;
    sides_[1] = Side(clients, dimension);
    for (int i = 0; i < clients.count; ++i)
      for (const auto& neighbour : gossip.neighbours(i))
        if (comes_from_few(i) && is_far(i, neighbour.client)) copied_[neighbour.client] = true;
    for (Side& side : sides_) {
      if (std::ranges::count(copied_, true) > 0) side.copies = Rows<Real>(clients, dimension);
      for (int i = 0; i < clients.count; ++i) side.mixed.push_back(mixed_numbers(side, i));
    }
  }
  MixedRows(const MixedRows&) = delete;

  // What the clients go on with. It is to be copied, for threads that share a line of memory wait for it.
  class Turn {
   public:
    // The client's row, mixed, to be changed by it. All clients must ask once, in this way or the next.
    std::span<Real> row(int client) const {
      if (mixes_) all_->gossip_.mix_row(client, before().rows, now().rows);
      return of(client);
    }

    std::span<Real> of(int client) const { return now().rows.row(client); }  // when it has asked

    // go_on(numbers, to), which fills the client's row `to` from its mixed numbers: where these come from few
    // rows, they are not written and read again before.
    template <class GoOn>
    auto row(int client, const GoOn& go_on) const {
      if (!mixes_ || !before().mixed[client].own) return go_on(NumbersInPlace(), row(client).data());
      return go_on(before().mixed[client], of(client).data());
    }

    // The client's row is as it is to be mixed. All clients must say so.
    void show(int client) const {
      if (all_->by_rows_ && all_->copied_[client])
        std::ranges::copy(of(client), now().copies.row(client).begin());
    }

   private:
    friend MixedRows;
    Turn(MixedRows& all, int now, bool mixes) : all_(&all), now_(now), mixes_(mixes) {}
    auto& now() const { return all_->sides_[now_]; }
    auto& before() const { return all_->sides_[1 - now_]; }

    MixedRows* all_;
    int now_;
    bool mixes_;  // else the rows are mixed
  };
  Turn turn() { return {*this, now_, !std::exchange(mixed_, true)}; }

  // rows ← P rows, by the time that somebody asks for them
  void mix() {
    Rows<Real>& rows = sides_[now_].rows;
    if (!by_rows_) return gossip_.mix(rows);
    gossip_.count_mix(rows);
    now_ = 1 - now_;
    mixed_ = false;
  }

  // between two turns
  Rows<Real>& all() {
    Rows<Real>& rows = sides_[now_].rows;
    const Turn all = turn();
    for (int i = rows.clients().first; i < rows.clients().end(); ++i) all.row(i);
    return rows;
  }

  // to be filled anew: what was to be mixed is forgotten
  Rows<Real>& anew() {
    mixed_ = true;
    return sides_[now_].rows;
  }

 private:
  struct Side {
    Rows<Real> rows, copies;
    std::vector<MixedNumbers<Real>> mixed;  // each client's numbers of P rows; null where these are not few

    explicit Side(Index dimension) : Side({0, 0}, dimension) {}
    Side(ClientRange clients, Index dimension) : rows(clients, dimension), copies({0, 0}, dimension) {}
  };

  bool comes_from_few(int i) const { return gossip_.neighbours(i).size() == 2; }

  // whether another thread is at work on the one than on the other
  bool is_far(int i, int j) const {
    const int n = static_cast<int>(copied_.size());
    return gossip_.threads().owner(i, n) != gossip_.threads().owner(j, n);
  }

  MixedNumbers<Real> mixed_numbers(Side& side, int i) const {
    if (!comes_from_few(i)) return {};
    const auto from = [&](int j) { return (is_far(i, j) ? side.copies : side.rows).row(j).data(); };
    const auto &left = gossip_.neighbours(i)[0], &right = gossip_.neighbours(i)[1];
    return {from(i), from(left.client), from(right.client), left.weight, right.weight};
  }

  Gossip<Real>& gossip_;
  bool by_rows_;  // else all are mixed at once, and only the first side has rows
  std::array<Side, 2> sides_;
  std::vector<char> copied_;  // whether other threads read a copy of a client's row

  alignas(64) int now_ = 0;  // these two are not for other threads
  bool mixed_ = true;        // else the rows of this side are still to come from the other's
};

}  // namespace doc2s
