// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "doc2s/problems/problem.hpp"
#include "doc2s/run/run.hpp"

// Runs whose results stay in memory, for solve() and for Python.
namespace doc2s {

// What such a run leaves in memory: `outputs` in the first process, the rest in every one.
struct KeptInMemory {
  std::vector<Record> records;
  std::vector<double> x;        // what last.npy holds
  std::vector<double> outputs;  // what output.npy holds, row by row
  std::string summary;          // what summary.json holds
  std::string config;           // what config.toml holds
};

// run() that also keeps. `options.directory` may be empty: no files.
Summary run(const Config& config, const RunOptions& options, KeptInMemory& kept);

// The same for the caller's own problem.
template <class Real>
Summary run_users_problem(const Problem<Real>& problem, const Config& config, const RunOptions& options,
                          KeptInMemory& kept);

}  // namespace doc2s
