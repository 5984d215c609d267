// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "doc2s/base/processes.hpp"
#include "doc2s/base/rows.hpp"
#include "doc2s/base/threads.hpp"
#include "doc2s/problems/problem.hpp"

namespace doc2s {

// The constants of the theorems for one client.
struct ClientConstants {
  double lipschitz;    // a bound of its L, or the largest sampled gradient
  bool bounded;        // whether it is a bound
  double start_value;  // f_i(x0)
  double lower_bound;  // NaN if unknown
};

// Which of its bounds a problem is asked for: of every L(ξ), or of √E L(ξ)².
enum class LipschitzBound { largest, mean_square };

// If no bound is known: √ of the mean of ‖∇F_i(x; ξ)‖² over some samples, maximised over x0 and a few random
// points at distance `radius`; 0 where no `slopes` are wanted. Covers the clients of this process, in order.
template <class Real>
std::vector<ClientConstants> client_constants(const Problem<Real>& problem, ClientRange here, double radius,
                                              std::uint64_t seed, Threads& threads, bool slopes = true,
                                              LipschitzBound kind = LipschitzBound::largest);

// A number and its origin: "given", "a bound", "sampled, …".
struct Constant {
  double value;
  std::string source;
  bool measured = false;  // not proved, nor given
};

struct ProblemConstants {
  Constant lipschitz, gradient_bound;
  std::optional<Constant> gap;  // empty if f has no known lower bound
};

// Combines the constants of all clients. Every process must call this.
ProblemConstants combined(const std::vector<ClientConstants>& mine, Processes& processes);

}  // namespace doc2s
