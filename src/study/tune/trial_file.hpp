// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "doc2s/run/record.hpp"

namespace doc2s {

// What a trial reached on a rung. The run's own files tell only of the last one, so it is kept beside them.
struct Reached {
  double count;  // on the budget's axis
  double score;  // NaN where it diverged
  Status status;
};
std::vector<Reached> read_rungs(const std::string& directory);
void write_rungs(const std::string& directory, const std::vector<Reached>& rungs);

}  // namespace doc2s
