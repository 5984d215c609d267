// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "doc2s/transport/transport.hpp"
#include "recursion.hpp"

namespace doc2s {

// Brings a vector from the client that made it to the processes of all clients that some rounds lead to: over
// edges, round by round, to each process once. Every process knows the way, so nobody need ask.
template <class Real>
class Flood {
 public:
  explicit Flood(Transport<Real>& transport, int clients);

  // Over the same rounds every time.
  void bring(int from, const RoundList<Real>& rounds, std::span<Real> v);

  // Over rounds that are passed one by one.
  void begin(int from);
  bool pass(const Recursion<Real>& round);  // false: nobody new has v
  void bring(std::span<Real> v) { bring(way(), v); }

 private:
  struct Way {
    int source = -1;        // the rank that v comes from; −1: from here, or not at all
    std::vector<int> next;  // ranks that it goes to from here
  };
  Way way() const;
  const Way& way_of(int from, const RoundList<Real>& rounds);
  void bring(const Way& way, std::span<Real> v);

  Transport<Real>& transport_;
  std::vector<int> arrival_,
      giver_;       // of each client: the round that brought v, −1 before; the neighbour it is from
  int passed_ = 0;  // rounds
  std::vector<std::optional<Way>> ways_;  // by the client that v is from
  std::vector<std::unique_ptr<Messages<Real>>> in_;
  std::unique_ptr<Messages<Real>> out_;
};

}  // namespace doc2s
