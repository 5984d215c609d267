#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "doc2s/network/graph.hpp"
#include "doc2s/transport/transport.hpp"

namespace doc2s {

// Brings a vector from the client that made it to the processes of all clients within R hops: over edges of
// the graph, hop by hop, to each process once. Every process knows the way, so nobody need ask.
template <class Real>
class Flood {
 public:
  Flood(const Graph& graph, int hops, Transport<Real>& transport);

  void bring(int from, std::span<Real> v);

 private:
  struct Way {
    int source = -1;        // the rank that v comes from; −1: from here, or not at all
    std::vector<int> next;  // ranks that it goes to from here
  };
  const Way& way_of(int from);

  const Graph& graph_;
  const int hops_;
  Transport<Real>& transport_;
  std::vector<std::optional<Way>> ways_;  // by the client that v is from
  std::vector<std::unique_ptr<Messages<Real>>> in_;
  std::unique_ptr<Messages<Real>> out_;
};

}  // namespace doc2s
