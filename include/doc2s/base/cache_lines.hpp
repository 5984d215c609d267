#pragma once
#include "doc2s/base/types.hpp"

namespace doc2s {

constexpr Index line_bytes = 64;  // of the caches

template <class Number>
constexpr Index line_numbers = line_bytes / static_cast<Index>(sizeof(Number));

enum class Fetch { to_read, to_write };  // what is to be written is taken away from other threads' caches

// Asks for the lines of numbers that begin at a line, without waiting.
// Inlined always, for the compiler drops calls of a function that does nothing but prefetch.
template <Fetch fetch, class Number>
[[gnu::always_inline]] inline void prefetch(const Number* first, Index count) {
  for (Index at = 0; at < count; at += line_numbers<Number>)
    __builtin_prefetch(first + at, fetch == Fetch::to_write);
}

}  // namespace doc2s
