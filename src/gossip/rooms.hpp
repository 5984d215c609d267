#pragma once
#include <array>

#include "doc2s/base/cache_lines.hpp"
#include "doc2s/base/large_memory.hpp"
#include "row_kernel.hpp"

// Where the rounds between the first and the last keep their rows.
namespace doc2s {

constexpr Index page_bytes = 4096;

// From one row of a room to the next: a line more than the tile is wide, so that rows of a whole number of
// pages do not fall on the same places of the cache. Rows of a line or two do not, and would grow by half.
template <class Real>
Index room_stride(Index width) {
  return width <= 2 * line_numbers<Real> ? width : width + line_numbers<Real>;
}

// From one room of that many numbers to the next: not a whole number of pages, for a processor takes a load
// from where another page was just stored to as waiting for that store.
template <class Real>
Index distance_apart(Index numbers) {
  const Index bytes = numbers * static_cast<Index>(sizeof(Real));
  return (bytes / page_bytes * page_bytes + page_bytes + 31 * line_bytes) / static_cast<Index>(sizeof(Real));
}

// Two rooms of this many rows, in memory of this thread that the next call gives again.
template <class Real>
std::array<StridedRows<Real>, 2> two_rooms(Index rows, Index width) {
  thread_local LargeVector<Real> memory;  // starts at a cache line
  const Index stride = room_stride<Real>(width), size = rows * stride, apart = distance_apart<Real>(size);
  if (std::ssize(memory) < apart + size) memory.resize(apart + size);
  Real* const room = memory.data();
  return {StridedRows<Real>{room, stride}, StridedRows<Real>{room + apart, stride}};
}

}  // namespace doc2s
