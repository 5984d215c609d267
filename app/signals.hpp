#pragma once
#include <atomic>

namespace doc2s::app {

// Set by Ctrl-C or SIGTERM once listen_to_signals() was called; a second one ends the program.
extern std::atomic<bool> stop_requested;
void listen_to_signals();

}  // namespace doc2s::app
