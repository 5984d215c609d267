// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/base/types.hpp"

namespace doc2s {

constexpr Index line_bytes = 64;  // of a cache line

template <class Number>
constexpr Index line_numbers = line_bytes / static_cast<Index>(sizeof(Number));

enum class Fetch { to_read, to_write };  // to_write also invalidates the lines in other threads' caches

// Prefetches cache lines; `first` must be line-aligned. Always inlined, because the compiler drops calls of a
// function that only prefetches.
template <Fetch fetch, class Number>
[[gnu::always_inline]] inline void prefetch(const Number* first, Index count) {
  for (Index at = 0; at < count; at += line_numbers<Number>)
    __builtin_prefetch(first + at, fetch == Fetch::to_write);
}

}  // namespace doc2s
