#pragma once
#include <cstdlib>
#include <memory>
#include <span>

#include "doc2s/base/types.hpp"

namespace doc2s {

// Clients first ≤ i < first + count.
struct ClientRange {
  int first;
  int count;

  bool contains(int client) const { return client >= first && client < first + count; }
  int end() const { return first + count; }
};

// To be given back by free(). It starts at a cache line, a large block at a huge page, which the system is
// asked for: rows lie far apart, and with small pages finding them takes as long as reading them.
void* zeroed_memory(std::size_t bytes);

// One row of d numbers for each client of a range, zero at first. Rows start at a cache line.
template <class Real>
class Rows {
 public:
  Rows(ClientRange clients, Index dimension)
      : clients_(clients),
        dimension_(dimension),
        stride_((dimension + per_line - 1) / per_line * per_line),
        data_(allocate(static_cast<std::size_t>(clients.count) * stride_)) {}

  ClientRange clients() const { return clients_; }
  Index dimension() const { return dimension_; }
  Index stride() const { return stride_; }  // numbers from one row's start to the next one's
  Real* data() { return data_.get(); }

  std::span<Real> row(int client) { return {data_.get() + offset(client), size()}; }
  std::span<const Real> row(int client) const { return {data_.get() + offset(client), size()}; }

 private:
  static constexpr Index per_line = 64 / sizeof(Real);

  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  static Real* allocate(std::size_t count) { return static_cast<Real*>(zeroed_memory(count * sizeof(Real))); }

  std::size_t size() const { return static_cast<std::size_t>(dimension_); }
  Index offset(int client) const { return (client - clients_.first) * stride_; }

  ClientRange clients_;
  Index dimension_, stride_;
  std::unique_ptr<Real[], Free> data_;
};

}  // namespace doc2s
