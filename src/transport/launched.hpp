#pragma once
#include <initializer_list>
#include <string>

namespace doc2s {

// The first of these that is set in the environment; "" where none is.
std::string first_set(std::initializer_list<const char*> names);

// Whether mpirun, or srun with an MPI plugin, started this process.
bool launched_by_mpi();

}  // namespace doc2s
