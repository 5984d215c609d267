#pragma once
#include <initializer_list>
#include <string>

namespace doc2s {

// The first of these environment variables that is set, or "".
std::string first_set(std::initializer_list<const char*> names);

// Whether mpirun, or srun with an MPI plugin, started this process.
bool launched_by_mpi();

}  // namespace doc2s
