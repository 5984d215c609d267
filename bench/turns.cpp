#include "turns.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "bench.hpp"

namespace doc2s::bench {

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

constexpr double turn_seconds = 0.05;

double best_of_a_turn(const Timed& competitor) {
  const auto start = Clock::now();
  double best = std::numeric_limits<double>::infinity();
  do best = std::min(best, competitor());
  while (since(start) < turn_seconds);
  return best;
}

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

std::vector<double> best_of_turns(const std::vector<Timed>& competitors, const Patience& patience) {
  std::vector<double> best(competitors.size(), std::numeric_limits<double>::infinity());
  const auto start = Clock::now();
  for (int turn = 0; turn < patience.fewest || since(start) < patience.seconds; ++turn)
    for (std::size_t k = 0; k < competitors.size(); ++k) {
      if (patience.stop && *patience.stop) throw Interrupted("interrupted", "bench");
      best[k] = std::min(best[k], best_of_a_turn(competitors[k]));
    }
  return best;
}

}  // namespace doc2s::bench
