// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/file_writer.hpp"
#include "doc2s/base/processes.hpp"
#include "doc2s/base/rows.hpp"
#include "doc2s/config/config.hpp"
#include "doc2s/problems/problem.hpp"
#include "partition/partition.hpp"
#include "preprocessing.hpp"

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

std::string notice_of_one_class(const std::string& label);

template <class Real>
struct MadeProblem {
  std::shared_ptr<const Problem<Real>> problem;
  std::vector<std::pair<std::string, Value>>
      facts;                         // values in force that the data decided: "lambda", "data" …
  std::vector<std::string> notices;  // what the user should be told
  Split split;                       // empty where samples have no labels
  std::function<void(FileWriter&)> write_samples{};  // all, as LIBSVM text, where no file holds them
  Preprocessing preprocessing{};                     // for whoever applies the trained model to new data
  std::vector<std::string> local_notices{};  // of another process than the first, which prints them itself
  bool is_users = false;                     // made outside this library: its gradient is checked

  Config settled(Config config) const {  // with these facts and notices
    for (const auto& [name, value] : facts)
      if (!config.problem.has(name)) config.problem.set(name, value);
    config.notices.insert(config.notices.end(), notices.begin(), notices.end());
    if (split.labels.size() == 1) config.notices.push_back(notice_of_one_class(split.labels.front()));
    return config;
  }
};

// A trained model.
struct TrainedModel {
  const Preprocessing& preprocessing;
  const Settings& problem;
  std::span<const double> x;

  // x in the run's precision; throws Error unless the model has as many parameters.
  template <class Real>
  std::vector<Real> point(Index dimension) const {
    require_dimension(dimension);
    return {x.begin(), x.end()};
  }
  void require_dimension(Index dimension) const;
};

struct NewSamples;

// A problem selected by problem.name.
struct ProblemKind : Kind {
  std::function<MadeProblem<float>(const ProblemRequest&)> make_float;
  std::function<MadeProblem<double>(const ProblemRequest&)> make_double;

  // The outputs for new samples, row by row: one a class, or one number; of an SVM aᵀx.
  using Apply = std::function<std::vector<double>(const TrainedModel&, const NewSamples&)>;
  Apply apply_float{}, apply_double{};

  template <class Real>
  MadeProblem<Real> make(const ProblemRequest& request) const {
    if constexpr (sizeof(Real) == 4)
      return make_float(request);
    else
      return make_double(request);
  }
};

// The built-in and the registered ones. Each registration makes a new list; the old ones stay valid.
const std::vector<ProblemKind>& problem_kinds();

// A problem that a program handed to solve(); only that program can make it.
inline constexpr const char* own_problem_name = "own";

// The caller's problem; it must outlive what is returned. Throws Error if it has not a sample for each client
// here, or too many or few clients.
template <class Real>
MadeProblem<Real> users_problem(std::shared_ptr<const Problem<Real>> problem, int clients, ClientRange here);

// The problem of a config, with the samples of the clients `here`. Every process must call this.
template <class Real>
MadeProblem<Real> make_problem(const Config& config, ClientRange here, Processes& processes) {
  return kind_named(problem_kinds(), config.problem, "name")
      .template make<Real>({config.problem, config.clients, config.seed(), here, processes});
}

Split split_of(std::span<const double> labels, const Shares& shares);

// Number of samples, over all clients, for the losses in records.
Option evaluation_option(std::optional<std::int64_t> fallback);

// Where problem.data leads: a data set's name stays as it is, and a path may have {client} in it.
std::string find_data_path(const std::string& path, const std::string& directory);

}  // namespace doc2s
