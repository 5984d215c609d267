// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace doc2s {

// Runs a script in a new folder inside `folder`, then moves all its files into `folder`, or none. Uses no
// shell.
void run_gnuplot(const std::string& script, const std::string& folder);

}  // namespace doc2s
