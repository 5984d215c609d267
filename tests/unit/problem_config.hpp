// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "doc2s/run/configs.hpp"

namespace doc2s::testing {

// The defaults with this problem on this data.
inline Config problem_config(const std::string& problem, const std::string& data, int clients, Changes more) {
  more.push_back({"problem.name", problem, "test"});
  more.push_back({"problem.data", '"' + data + '"', "test"});
  more.push_back({"clients.count", std::to_string(clients), "test"});
  return default_config(more);
}

}  // namespace doc2s::testing
