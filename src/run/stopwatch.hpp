// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>

namespace doc2s {

// Time in seconds that can be halted.
class Stopwatch {
 public:
  explicit Stopwatch(double seconds = 0) : total_(seconds), since_(Clock::now()) {}

  void go() {
    const auto now = Clock::now();
    halted_ += std::chrono::duration<double>(now - since_).count();
    since_ = now;
    running_ = true;
  }
  void halt() {
    total_ = seconds();
    since_ = Clock::now();
    running_ = false;
  }
  double halted() const { return halted_; }  // seconds, up to when it went on last
  double seconds() const {
    return running_ ? total_ + std::chrono::duration<double>(Clock::now() - since_).count() : total_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  double total_, halted_ = 0;
  Clock::time_point since_;  // when it went on, or was halted
  bool running_ = false;
};

}  // namespace doc2s
