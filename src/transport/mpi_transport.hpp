#pragma once
#include "doc2s/transport/transport.hpp"

namespace doc2s {

// For the processes that join_processes() gave.
template <class Real>
std::unique_ptr<Transport<Real>> make_mpi_transport(Processes& processes, int clients, Threads& threads);

}  // namespace doc2s
