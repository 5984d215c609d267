#pragma once
#include <memory>

#include "doc2s/base/processes.hpp"

namespace doc2s {

// All processes that mpirun (or srun) started together with this one, or this one alone. Call once, before
// anything else. Throws Error if there are several and the program was built without MPI.
std::unique_ptr<Processes> join_processes();

// Whether this is the first of the processes started together, according to the environment.
bool launched_as_first();

}  // namespace doc2s
