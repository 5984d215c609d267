// SPDX-License-Identifier: Apache-2.0
#include "signals.hpp"

#include <unistd.h>

#include <csignal>
#include <string_view>

namespace doc2s::app {

std::atomic<bool> stop_requested{false};

namespace {

constexpr unsigned patience = 1;  // seconds
constexpr int interrupted = 130;

std::atomic<bool> nothing_to_lose{false}, speaks_of_end{true}, speaks_of_signals{true};

void write_aside(std::string_view text) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
}

void on_stop(int) {
  stop_requested = true;
  alarm(patience);
}

void on_impatience(int) {
  if (nothing_to_lose) {
    if (speaks_of_end) write_aside("doc2s: interrupted while setting up; nothing was written\n");
    _exit(interrupted);
  }
  if (speaks_of_signals) write_aside("doc2s: stops after this iteration; a second signal ends it at once\n");
}

void on_signal(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
}

}  // namespace

void listen_to_signals(bool speaks) {
  speaks_of_signals = speaks;
  const int once = static_cast<int>(SA_RESETHAND);
  on_signal(SIGALRM, on_impatience, SA_RESTART);
  on_signal(SIGINT, on_stop, once);
  on_signal(SIGTERM, on_stop, once);
  struct sigaction hangup {};  // of the terminal, unless nohup has it ignored
  if (sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
    on_signal(SIGHUP, on_stop, once);
  on_signal(SIGUSR1, on_stop, once);  // mpirun passes it on; the others make it kill its processes
  std::signal(SIGPIPE, SIG_IGN);      // a reader that went away does not end a run
  std::signal(SIGXFSZ, SIG_IGN);      // a limit on file sizes then shows as a failed write
}

NothingToLose::NothingToLose(bool speaks) {
  speaks_of_end = speaks;
  nothing_to_lose = true;
}
void NothingToLose::ends() const { nothing_to_lose = false; }

}  // namespace doc2s::app
