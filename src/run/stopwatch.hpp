#pragma once
#include <chrono>

namespace doc2s {

// Time in seconds that can be halted.
class Stopwatch {
 public:
  void go() { since_ = Clock::now(), running_ = true; }
  void halt() { total_ = seconds(), running_ = false; }
  double seconds() const {
    return running_ ? total_ + std::chrono::duration<double>(Clock::now() - since_).count() : total_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point since_{};
  double total_ = 0;
  bool running_ = false;
};

}  // namespace doc2s
