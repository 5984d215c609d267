// SPDX-License-Identifier: Apache-2.0
#include "join.hpp"

#include <atomic>
#include <cstdlib>

#include "doc2s/base/error.hpp"
#include "mpi_parts.hpp"

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

const MpiParts*& mpi_parts() {
  static const MpiParts* parts = nullptr;
  return parts;
}

namespace {

void refuse_several_without_mpi() {
  const std::string count = first_set({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"});
  if (!launched_by_mpi() || count.empty() || count == "1") return;
  throw Error(
      "this program was built without MPI, and " + count + " of it were started together", "",
      "start doc2s as ./doc2s mpi " + count +
          " run CONFIG.toml, or build it with -DDOC2S_MPI=ON; a program of your own links doc2s::mpi");
}

std::atomic<Processes*> joined_ones = nullptr;

}  // namespace

Processes& joined_processes() {
  if (!mpi_parts()) refuse_several_without_mpi();
  static const std::unique_ptr<Processes> joined =
      mpi_parts() && launched_by_mpi() ? mpi_parts()->join() : std::make_unique<Processes>();
  joined_ones = joined.get();
  return *joined;
}

void leave_processes() {
  if (Processes* const processes = joined_ones) processes->leave();
}

}  // namespace doc2s
