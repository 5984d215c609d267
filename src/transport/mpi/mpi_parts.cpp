// SPDX-License-Identifier: Apache-2.0
#include "transport/mpi_parts.hpp"

#include "mpi_processes.hpp"
#include "mpi_transport.hpp"

namespace doc2s {

namespace {

std::unique_ptr<Processes> join_mpi() { return std::make_unique<MpiProcesses>(); }

const MpiParts parts{join_mpi, make_mpi_transport<float>, make_mpi_transport<double>};
const bool registered = (mpi_parts() = &parts, true);

}  // namespace

}  // namespace doc2s

// The target doc2s::mpi has the linker look for this name, and so take this file in.
extern "C" {
extern const int doc2s_mpi_linked;
const int doc2s_mpi_linked = 1;
}
