// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "certificate.hpp"
#include "doc2s/base/threads.hpp"
#include "doc2s/problems/problem.hpp"
#include "doc2s/transport/transport.hpp"

namespace doc2s {

// ∇f = (1/n) Σ_i ∇f_i over all samples of all clients. Clients run in parallel and are added in order, so
// that the bits depend only on x. `samples_each` > 0 uses that many samples per client, drawn once by `seed`:
// an estimate. Problem and threads must outlive the function.
//
// The rounding told is that of the mean over the clients and, where the problem knows a Lipschitz constant,
// of each client's mean over its samples.
GradientFunction full_gradient(const Problem<double>& problem, Threads& threads, Index samples_each = 0,
                               std::uint64_t seed = 0);

// The same bits with clients in several processes; each process must call the function with the same x.
GradientFunction full_gradient(const Problem<double>& problem, Transport<double>& transport,
                               Processes& processes);

}  // namespace doc2s
