// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "doc2s/base/processes.hpp"

namespace doc2s {

// Where the processes of a run agree on the time and on whether somebody asked them to stop: a process alone
// after every iteration, several about ten times a second, at iterations that all of them know.
class Meeting {
 public:
  explicit Meeting(Processes& processes) : processes_(processes) {}

  bool due(Index iteration) const { return iteration >= next_; }

  // `seconds` of the method, and `elapsed` in all
  void hold(Index iteration, bool stop, double seconds, double elapsed) {
    if (processes_.count() == 1) {
      now_ = {seconds, elapsed, stop};
      return;
    }
    const double before = now_.seconds;
    const auto all = gathered<Word>(processes_, {{seconds, elapsed, stop}});
    now_ = {all.front().seconds, all.front().elapsed, std::ranges::any_of(all, &Word::stop)};
    const double passed = std::max(now_.seconds - before, 1e-6);
    const double due_in = pause_ * seconds_between / passed;
    pause_ = static_cast<Index>(std::clamp(due_in, 1.0, 2.0 * static_cast<double>(pause_)));
    next_ = iteration + pause_;
  }

  double seconds() const { return now_.seconds; }  // these two of the first process
  double elapsed() const { return now_.elapsed; }
  bool stop() const { return now_.stop; }

 private:
  static constexpr double seconds_between = 0.1;
  struct Word {
    double seconds, elapsed;
    bool stop;
  };

  Processes& processes_;
  Word now_{0, 0, false};
  Index next_ = 0, pause_ = 1;  // iterations
};

}  // namespace doc2s
