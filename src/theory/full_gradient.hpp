#pragma once
#include <vector>

#include "certificate.hpp"
#include "doc2s/base/threads.hpp"
#include "doc2s/problems/problem.hpp"
#include "doc2s/transport/transport.hpp"

namespace doc2s {

// ∇f = (1/n) Σ_i ∇f_i over all samples of all clients: clients side by side on the threads, added up in their
// order, so that the bits depend on nothing but x. `samples_each` > 0 takes that many samples of each client,
// drawn once by `seed`: an estimate. Problem and threads must outlive the function.
GradientFunction full_gradient(const Problem<double>& problem, Threads& threads, Index samples_each = 0,
                               std::uint64_t seed = 0);

// The same bits where the clients live in several processes, each of which must call the function alike.
GradientFunction full_gradient(const Problem<double>& problem, Transport<double>& transport,
                               Processes& processes);

}  // namespace doc2s
