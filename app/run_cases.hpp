#pragma once
#include <functional>
#include <vector>

#include "study/sweep.hpp"

namespace doc2s::app {

// Runs the cases, `jobs` at a time, which share the cores; `told` is called after each, never twice at once.
// A case that is due after Ctrl-C is left out.
void run_cases(const std::vector<SweepCase>& cases, int jobs,
               const std::function<void(const SweepCase&, const Summary&)>& told);

}  // namespace doc2s::app
