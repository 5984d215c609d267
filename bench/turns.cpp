// SPDX-License-Identifier: Apache-2.0
#include "turns.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "base/long_work.hpp"
#include "bench.hpp"

namespace doc2s::bench {

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

Timed clocked(std::function<void()> work) {
  return [work = std::move(work)] {
    const auto start = Clock::now();
    work();
    return since(start);
  };
}

Timed clocked_often(std::function<void()> work, double at_least_seconds) {
  return [work = std::move(work), at_least_seconds] {
    const auto start = Clock::now();
    int calls = 0;
    double seconds = 0;
    do {
      work();
      ++calls;
    } while ((seconds = since(start)) < at_least_seconds);
    return seconds / calls;
  };
}

Timed best_of_tries(Timed work, double at_least_seconds) {
  return [work = std::move(work), at_least_seconds] {
    const auto start = Clock::now();
    double best = work();
    while (since(start) < at_least_seconds) best = std::min(best, work());
    return best;
  };
}

std::vector<double> best_of_turns(const std::vector<Timed>& competitors, const Patience& patience) {
  std::vector<double> best(competitors.size(), std::numeric_limits<double>::infinity());
  const auto start = Clock::now();
  const LongWork work("timing");
  for (int turn = 0; turn < patience.fewest || since(start) < patience.seconds; ++turn)
    for (std::size_t k = 0; k < competitors.size(); ++k) {
      if (patience.stop && *patience.stop) throw Interrupted("interrupted", "bench");
      if (patience.seconds > 0) work.go_on(std::min(1.0, since(start) / patience.seconds));
      best[k] = std::min(best[k], competitors[k]());
    }
  return best;
}

}  // namespace doc2s::bench
