// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

namespace doc2s {

// Memory aligned to a cache line; a large block is aligned to a huge page, and huge pages are requested. With
// small pages, scattered reads spend as much time on address translation as on reading.
void* large_memory(std::size_t bytes);
void free_large_memory(void* memory);

template <class T>
struct LargeAllocator {
  using value_type = T;

  LargeAllocator() = default;
  template <class Other>
  LargeAllocator(const LargeAllocator<Other>&) {}

  T* allocate(std::size_t count) { return static_cast<T*>(large_memory(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t) { free_large_memory(memory); }
  bool operator==(const LargeAllocator&) const { return true; }
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace doc2s
