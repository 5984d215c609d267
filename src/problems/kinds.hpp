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
  Processes& processes;  // all processes of the experiment
};

// Number of samples of each label per client.
struct Split {
  std::vector<std::string> labels;
  std::vector<std::vector<Index>> counts;  // by client, then by label
};

template <class Real>
struct MadeProblem {
  std::unique_ptr<Problem<Real>> problem;
  std::vector<std::pair<std::string, Value>>
      facts;                         // resolved values that depend on the data: "lambda", "data" …
  std::vector<std::string> notices;  // messages for the user
  Split split;                       // empty if samples have no labels
};

// A problem selected by problem.name.
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

// Number of samples, over all clients, for the losses in records.
Option evaluation_option(std::optional<std::int64_t> fallback);

}  // namespace doc2s
