// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "doc2s/base/cache_lines.hpp"
#include "doc2s/base/large_memory.hpp"
#include "doc2s/base/types.hpp"

namespace doc2s {

// Clients first ≤ i < first + count.
struct ClientRange {
  int first;
  int count;

  bool contains(int client) const { return client >= first && client < first + count; }
  int end() const { return first + count; }
};

// One row of d numbers per client of a range, initially zero. Rows are aligned to cache lines.
template <class Real>
class Rows {
 public:
  Rows(ClientRange clients, Index dimension)
      : clients_(clients),
        dimension_(dimension),
        in_lines_((dimension + per_line - 1) / per_line * per_line),
        stride_(lines_apart(in_lines_ / per_line, clients.count) * per_line),
        data_(static_cast<std::size_t>(clients.count) * stride_) {}
  Rows(Rows&&) noexcept = default;
  Rows& operator=(Rows&&) noexcept = default;

  ClientRange clients() const { return clients_; }
  Index dimension() const { return dimension_; }
  Index in_lines() const { return in_lines_; }  // row length padded to whole cache lines; the padding is 0
  Index stride() const { return stride_; }      // numbers from the start of one row to the next
  Real* data() { return data_.data(); }

  std::span<Real> row(int client) { return {data_.data() + offset(client), size()}; }
  std::span<const Real> row(int client) const { return {data_.data() + offset(client), size()}; }

 private:
  static constexpr Index per_line = line_numbers<Real>;

  // Cache lines from row to row. The hardware prefetcher reads about a dozen lines past the end of a row; if
  // another thread writes there, both stall. This does not matter for rows too large for the cache, which
  // need those lines next anyway. Row distances close to a multiple of the page size are avoided, because
  // such rows compete for the same cache sets.
  static Index lines_apart(Index lines, Index rows) {
    constexpr Index page = 64, near = 4, fetched = 25, worth_it = 8, in_cache = 4096;  // in lines
    if (lines >= worth_it && rows * lines <= in_cache) lines += fetched;
    const Index beyond = (lines + near) % page;
    return lines > page / 2 && beyond <= 2 * near ? lines + 2 * near + 1 - beyond : lines;
  }

  std::size_t size() const { return static_cast<std::size_t>(dimension_); }
  Index offset(int client) const { return (client - clients_.first) * stride_; }

  ClientRange clients_;
  Index dimension_, in_lines_, stride_;
  LargeVector<Real> data_;
};

}  // namespace doc2s
