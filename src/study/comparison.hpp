// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "doc2s/run/run.hpp"

namespace doc2s {

// One method of a comparison, in a folder of its own below the comparison's.
struct ComparedRun {
  std::string folder;
  Config config;
};

// The runs that a folder is to hold, so that a comparison that was broken off can go on.
bool holds_a_comparison(const std::string& directory);
void write_comparison(const std::string& directory, const std::vector<ComparedRun>& runs);
std::vector<ComparedRun> read_comparison(const std::string& directory, const Changes& changes);

// Whether two lists have the same folders, and configs that do not contradict each other.
bool same_runs(const std::vector<ComparedRun>& some, const std::vector<ComparedRun>& others);

// Throws Error where the folder holds the run of another config.
void check_same_run(const ComparedRun& run, const std::string& directory);

}  // namespace doc2s
