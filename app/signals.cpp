#include "signals.hpp"

#include <csignal>

namespace doc2s::app {

std::atomic<bool> stop_requested{false};

void listen_to_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { stop_requested = true; };
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction hangup {};  // of the terminal, unless nohup has it ignored
  if (sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, nullptr);
  sigaction(SIGUSR1, &action, nullptr);  // mpirun passes it on; the others make it kill its processes
  std::signal(SIGXFSZ, SIG_IGN);         // a limit on file sizes then shows as a failed write
}

}  // namespace doc2s::app
