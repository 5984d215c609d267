#include "run_cases.hpp"

#include <algorithm>
#include <mutex>

#include "carry_out.hpp"
#include "doc2s/base/threads.hpp"

namespace doc2s::app {

void run_cases(const std::vector<SweepCase>& cases, int jobs,
               const std::function<void(const SweepCase&, const Summary&)>& told) {
  Threads workers(jobs);
  const int threads_each = std::max(1, Threads().count() / workers.count());
  std::mutex telling;
  workers.each(static_cast<Index>(cases.size()), [&](Index k) {
    if (stop_requested) return;
    RunOptions options;
    options.stop = &stop_requested;
    const Summary summary = run_case(cases[k], options, threads_each);
    const std::lock_guard lock(telling);
    told(cases[k], summary);
  });
}

}  // namespace doc2s::app
