// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <initializer_list>
#include <string>

#include "doc2s/base/processes.hpp"

namespace doc2s {

// All processes that mpirun (or srun) started together with this one, or this one alone; joined by the first
// call, left at the program's end. Throws Error if there are several and the program was built without MPI.
Processes& joined_processes();

// At the end of a program that may have joined them: see Processes::leave.
void leave_processes();

// Whether this is the first of the processes started together, according to the environment.
bool launched_as_first();

// Whether mpirun, or srun with an MPI plugin, started this process.
bool launched_by_mpi();

// The first of these environment variables that is set, or "".
std::string first_set(std::initializer_list<const char*> names);

}  // namespace doc2s
