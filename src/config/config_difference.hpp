// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "doc2s/config/config.hpp"

namespace doc2s {

// What two configs say differently about the way that the method takes, a sentence each. How long it goes,
// what is recorded, where the data lies and how a method is called may differ.
std::vector<std::string> differences(const Config& before, const Config& now);

// Of these, the ones where both say something: a config may leave open what data and network decide.
std::vector<std::string> contradictions(const Config& before, const Config& now);

// A hash of what decides that way.
std::uint64_t way_hash(const Config& config);

// What must be the same in all processes of a run: all values but the number of threads and the problem's
// paths, whose files are compared when they are read.
std::string same_on_all_machines(const Config& config);

}  // namespace doc2s
