#pragma once
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "doc2s/base/options.hpp"
#include "doc2s/problems/problem.hpp"

namespace doc2s {

struct ProblemRequest {
  const Settings& problem;
  const Settings& clients;
  std::uint64_t seed;
};

template <class Real>
struct MadeProblem {
  std::unique_ptr<Problem<Real>> problem;
  std::vector<std::pair<std::string, Value>>
      facts;                         // values in force that the data decided: "lambda", "data" …
  std::vector<std::string> notices;  // what the user should be told
};

// A problem that a user picks by name in problem.name.
struct ProblemKind : Kind {
  std::function<MadeProblem<float>(const ProblemRequest&)> make_float;
  std::function<MadeProblem<double>(const ProblemRequest&)> make_double;

  template <class Real>
  MadeProblem<Real> make(const ProblemRequest& request) const {
    if constexpr (sizeof(Real) == 4)
      return make_float(request);
    else
      return make_double(request);
  }
};

const std::vector<ProblemKind>& problem_kinds();

}  // namespace doc2s
