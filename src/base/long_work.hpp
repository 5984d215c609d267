// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <string>

namespace doc2s {

// Long work, such as drawing a graph or reading a file, asks now and then whether it shall go on, and says
// how far it is. Whoever starts it listens, in the same thread; where nobody does, this costs nothing. A stop
// is heeded after a moment: what is done sooner comes to its end, and the run ends with its files.
class Listener {
 public:
  static constexpr std::chrono::milliseconds moment{200};
  using Tell = std::function<void(const std::string& news)>;  // e.g. "drawing the graph, 12%"

  Listener(const std::atomic<bool>* stop, Tell tell);  // both may be null
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

 private:
  friend class LongWork;
  using Clock = std::chrono::steady_clock;

  void hear(const std::string& what, double share);

  const std::atomic<bool>* const stop_;
  const Tell tell_;
  Listener* const outer_;
  const Clock::time_point begun_ = Clock::now();
  Clock::time_point next_;  // when it is told again
};

// A piece of long work. `what` completes "interrupted while …".
class LongWork {
 public:
  explicit LongWork(std::string what) : what_(std::move(what)) { go_on(); }

  // Throws Interrupted where whoever listens asks to stop. `share` of it is done; negative: unknown.
  void go_on(double share = -1) const;

 private:
  const std::string what_;
};

}  // namespace doc2s
