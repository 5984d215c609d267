#include <cstdlib>

#include "join.hpp"

namespace doc2s {

std::string first_set(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const char* value = std::getenv(name)) return value;
  return "";
}

bool launched_by_mpi() { return !first_set({"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"}).empty(); }

bool launched_as_first() {
  const std::string rank = first_set({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"});
  return rank.empty() || rank == "0";
}

}  // namespace doc2s
