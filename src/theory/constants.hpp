#pragma once
#include <optional>
#include <string>
#include <vector>

#include "doc2s/base/processes.hpp"
#include "doc2s/base/rows.hpp"
#include "doc2s/base/threads.hpp"
#include "doc2s/problems/problem.hpp"

namespace doc2s {

// What one client knows of the constants that the theorems ask for.
struct ClientConstants {
  double lipschitz;    // a bound of its L, or the largest gradient that it met
  bool bounded;        // it is a bound
  double start_value;  // f_i(x0)
  double lower_bound;  // NaN where none is known
};

// Where no bound is known: √ of the mean of ‖∇F_i(x; ξ)‖² over some samples, the largest over x0 and a few
// random points at distance `radius` from it. The clients of this process, in their order.
template <class Real>
std::vector<ClientConstants> client_constants(const Problem<Real>& problem, ClientRange here, double radius,
                                              std::uint64_t seed, Threads& threads);

// A number and how it is known: "given", "a bound", "sampled, …".
struct Constant {
  double value;
  std::string source;
};

struct ProblemConstants {
  Constant lipschitz, gradient_bound;
  std::optional<Constant> gap;  // nothing where f has no known lower bound
};

// All clients' constants together, wherever they live: every process must call this.
ProblemConstants combined(const std::vector<ClientConstants>& mine, Processes& processes);

}  // namespace doc2s
