// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "doc2s/run/record.hpp"

namespace doc2s::app {

struct Contestant {
  std::string label;
  Record end;  // of its run
};

// What a comparison at equal samples shows, in sentences that follow from its figures: who has the lowest
// loss, at the mean point and at the worst client, and what that cost.
std::string demo_story(const std::vector<Contestant>& all);

}  // namespace doc2s::app
