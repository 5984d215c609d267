#include "machine_memory.hpp"

#include <unistd.h>

namespace doc2s {

double machine_memory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace doc2s
