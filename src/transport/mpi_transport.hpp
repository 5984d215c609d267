#pragma once
#include "doc2s/transport/transport.hpp"

namespace doc2s {

// `processes` must come from join_processes().
template <class Real>
std::unique_ptr<Transport<Real>> make_mpi_transport(Processes& processes, int clients, Threads& threads);

}  // namespace doc2s
