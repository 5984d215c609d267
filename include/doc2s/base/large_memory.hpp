#pragma once
#include <cstddef>
#include <vector>

namespace doc2s {

// Memory that starts at a cache line, a large block at a huge page, which the system is asked for: where
// numbers are read far apart, finding them by small pages takes as long as reading them.
void* large_memory(std::size_t bytes);
void free_large_memory(void* memory);

// For std::vector.
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
