// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/transport/transport.hpp"

namespace doc2s {

// `processes` must be MpiProcesses.
template <class Real>
std::unique_ptr<Transport<Real>> make_mpi_transport(Processes& processes, int clients, Threads& threads);

}  // namespace doc2s
