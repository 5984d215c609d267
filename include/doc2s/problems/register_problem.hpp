// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "doc2s/config/options.hpp"
#include "doc2s/problems/problem.hpp"

namespace doc2s {

// Makes the problem of a config: `problem` holds the options below by their names, and the seed decides all
// that is random. The problem must have this number of clients.
using ProblemFactory =
    std::function<std::unique_ptr<Problem<double>>(const Settings& problem, int clients, std::uint64_t seed)>;

// From now on a config may say problem.name = "name", with these options in [problem]; all commands know it.
// It has `batch`, `evaluation` and `check_gradient` as well. Throws Error where the name is taken.
void register_problem(const std::string& name, ProblemFactory factory, std::vector<Option> options = {});

}  // namespace doc2s
