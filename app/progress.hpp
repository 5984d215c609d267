#pragma once
#include <chrono>
#include <optional>
#include <string>

#include "base/long_work.hpp"
#include "doc2s/run/run.hpp"

namespace doc2s::app {

// Signs of life on stderr: one line that renews itself on a terminal, elsewhere a plain line now and then.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine() { clear(); }

  void show(const Progress& progress);
  void show(const std::string& text);
  void clear();  // takes the line away before something else is said

 private:
  using Clock = std::chrono::steady_clock;
  double since(Clock::time_point then) const;
  bool due();  // not so soon after the last one
  void put(const std::string& text);

  enum class Style { none, renewed, plain } style_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now(), last_ = Clock::now();
  std::optional<Progress> first_;  // where a resumed run went on
};

// What f returns; long work in it is shown.
template <class F>
auto shown_work(const F& f) {
  ProgressLine line(false);
  const Listener listener(nullptr, [&](const std::string& news) { line.show(news); });
  return f();
}

}  // namespace doc2s::app
