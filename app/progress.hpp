// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/long_work.hpp"
#include "doc2s/run/run.hpp"

namespace doc2s::app {

// Signs of life on stderr: one line that renews itself on a terminal, elsewhere a plain line now and then. On
// a terminal, where there is no news for two seconds, as in a long iteration or a call of another library,
// the last text is shown with the seconds since.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet, std::string what = "");  // `what` is done until there is news
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress& progress);
  void show(const std::string& text);
  void lift();                               // takes the line away before something else is said
  void clear(const std::string& next = "");  // the same, and from now on `next` is done; "": nothing

 private:
  using Clock = std::chrono::steady_clock;
  static double since(Clock::time_point then);
  double pause() const;
  void take(const std::string& text);
  void put(const std::string& text);
  void take_away();
  void begin();
  void watch();  // by a thread of its own

  enum class Style { none, renewed, plain } style_;
  bool shown_ = false, over_ = false;
  std::string text_;  // the last; "": nothing is under way
  Clock::time_point start_ = Clock::now(), news_ = start_, last_ = start_;
  std::optional<Progress> first_;  // where a resumed run went on
  std::mutex mutex_;
  std::condition_variable ends_;
  std::thread watcher_;
};

// What f returns; long work in it is shown.
template <class F>
auto shown_work(const std::string& what, bool quiet, const F& f) {
  ProgressLine line(quiet, what);
  const Listener listener(nullptr, [&](const std::string& news) { line.show(news); });
  return f();
}

}  // namespace doc2s::app
