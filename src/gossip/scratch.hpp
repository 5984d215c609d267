// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "doc2s/base/cache_lines.hpp"
#include "doc2s/base/large_memory.hpp"
#include "strided_rows.hpp"

// Scratch buffers for the rounds between the first and the last.
namespace doc2s {

// Two buffers of `rows` rows, in memory of this thread that the next call returns again. Rows are a line more
// apart than they are wide: at whole pages they would share the same sets of a cache. For the same reason the
// buffers are not whole pages apart: a processor would take a load from the one as waiting for a store to the
// other.
template <class Real>
std::array<StridedRows<Real>, 2> two_scratch_buffers(Index rows, Index width) {
  constexpr Index line = line_numbers<Real>, page = 64 * line;
  thread_local LargeVector<Real> memory;  // starts at a cache line
  const Index stride = width <= 2 * line ? width : width + line, size = rows * stride;
  const Index apart = (size / page + 1) * page + 31 * line;
  if (std::ssize(memory) < apart + size) memory.resize(apart + size);
  return {StridedRows<Real>{memory.data(), stride}, StridedRows<Real>{memory.data() + apart, stride}};
}

}  // namespace doc2s
