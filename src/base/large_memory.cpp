// SPDX-License-Identifier: Apache-2.0
#include "doc2s/base/large_memory.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace doc2s {

void* large_memory(std::size_t bytes) {
  constexpr std::size_t line = 64, huge_page = std::size_t{2} << 20;
  const std::size_t alignment = bytes >= 2 * huge_page ? huge_page : line;
  const std::size_t whole = (bytes / alignment + 1) * alignment;
  void* const memory = std::aligned_alloc(alignment, whole);
  if (!memory) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  if (alignment == huge_page) madvise(memory, whole, MADV_HUGEPAGE);
#endif
  return memory;
}

void free_large_memory(void* memory) { std::free(memory); }

}  // namespace doc2s
