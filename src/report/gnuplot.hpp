#pragma once
#include <string>

namespace doc2s {

// Runs a script in a new folder inside `folder`, then moves the files that it made into `folder`: all or
// none. There is no shell in between.
void run_gnuplot(const std::string& script, const std::string& folder);

}  // namespace doc2s
