// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <csignal>

#include <atomic>

namespace doc2s::python {

// While it lives, the first Ctrl-C sets stop(), so that a run ends in good order; the second is Python's own,
// for user's code that takes long; the third ends the process, for user's code in another thread that does
// not come back. Only where `takes_over`: elsewhere Python, or the user, has a handler of its own. SIGUSR1 is
// the Ctrl-C that mpirun passes on to its processes.
class Interrupt {
 public:
  explicit Interrupt(bool takes_over);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  const std::atomic<bool>& stop() const { return stop_; }

 private:
  static void on_signal(int);

  std::atomic<bool> stop_ = false;
  std::atomic<int> signals_ = 0;
  const bool takes_over_;
  struct sigaction before_ {};
  struct sigaction passed_on_before_ {};
  Interrupt* outer_ = nullptr;
};

}  // namespace doc2s::python
