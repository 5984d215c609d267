// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "bench.hpp"

namespace doc2s::bench {

// A run of one iteration with 10⁶ clients and d = 1,000, from the shell to its end: seconds and memory.
void start_a_million(const std::string& method, const Setting& setting, Findings& out);

}  // namespace doc2s::bench
