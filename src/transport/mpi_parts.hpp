// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "doc2s/transport/transport.hpp"

namespace doc2s {

// What the library doc2s::mpi brings, so that the engine itself names no MPI.
struct MpiParts {
  std::unique_ptr<Processes> (*join)();
  std::unique_ptr<Transport<float>> (*make_float)(Processes&, int clients, Threads&);
  std::unique_ptr<Transport<double>> (*make_double)(Processes&, int clients, Threads&);
};

// Null in a program that does not link it; set before main().
const MpiParts*& mpi_parts();

}  // namespace doc2s
