// SPDX-License-Identifier: Apache-2.0
#include "bench.hpp"

#include <fmt/format.h>

namespace doc2s::bench {

const std::vector<Task>& tasks() {
  static const std::vector<Task> all{gossip_task(),  a9a_task(),   mlp_task(),    scaling_task(),
                                     reading_task(), torch_task(), travel_task(), kernels_task(),
                                     solve_task()};
  return all;
}

void require_agreement(const std::string& who, double error, double tolerance) {
  if (error <= tolerance) return;  // false for NaN
  throw WrongAnswer(
      fmt::format("{} computed something else: the error is {:.2g}, not below {:.2g}", who, error, tolerance),
      "bench");
}

}  // namespace doc2s::bench
