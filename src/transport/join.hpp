#pragma once
#include <memory>

#include "doc2s/base/processes.hpp"

namespace doc2s {

// All processes that mpirun (or srun) started together with this one; where nothing like that started it,
// this one alone. To be called once, first of all. Throws Error where there are several and the program was
// built without MPI.
std::unique_ptr<Processes> join_processes();

// Whether this process is the first of those that were started together, as far as its environment says.
bool launched_as_first();

}  // namespace doc2s
