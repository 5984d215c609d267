#pragma once
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "doc2s/base/processes.hpp"
#include "doc2s/base/rows.hpp"
#include "doc2s/config/options.hpp"
#include "doc2s/problems/problem.hpp"
#include "partition/partition.hpp"

namespace doc2s {

struct ProblemRequest {
  const Settings& problem;
  const Settings& clients;
  std::uint64_t seed;
  ClientRange here;      // the clients whose samples this process holds
  Processes& processes;  // all that hold some
};

// How many samples of each label a client holds.
struct Split {
  std::vector<std::string> labels;
  std::vector<std::vector<Index>> counts;  // by client, then by label
};

template <class Real>
struct MadeProblem {
  std::unique_ptr<Problem<Real>> problem;
  std::vector<std::pair<std::string, Value>>
      facts;                         // values in force that the data decided: "lambda", "data" …
  std::vector<std::string> notices;  // what the user should be told
  Split split;                       // empty where samples have no labels
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

Split split_of(std::span<const double> labels, const Shares& shares);

// How many samples, over all clients, the losses in records are computed on.
Option evaluation_option(std::optional<std::int64_t> fallback);

}  // namespace doc2s
