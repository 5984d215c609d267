// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>

namespace doc2s::app {

// Set by Ctrl-C or SIGTERM once listen_to_signals() was called; a second one ends the program. Where that
// takes more than a second, this is said on stderr, unless it shall not speak.
extern std::atomic<bool> stop_requested;
void listen_to_signals(bool speaks = true);

// While a run is set up nothing is written: then a signal that is not heeded within a second ends the program
// too, which is said on stderr where it `speaks`.
class NothingToLose {
 public:
  explicit NothingToLose(bool speaks);
  ~NothingToLose() { ends(); }
  void ends() const;
};

}  // namespace doc2s::app
