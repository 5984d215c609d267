// SPDX-License-Identifier: Apache-2.0
#include "child.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <utility>

#include "base/program.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s::bench {

namespace {

std::pair<int, int> open_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw_system_error("no pipe can be made", "", errno);
  return {ends[0], ends[1]};
}

}  // namespace

Child::Child(std::vector<std::string> arguments) {
  std::signal(SIGPIPE, SIG_IGN);  // a dead child is detected by its exit code
  const auto [input, to] = open_pipe();
  const auto [from, output] = open_pipe();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t group_of_its_own;  // Ctrl-C goes to us; we end the child
  posix_spawnattr_init(&group_of_its_own);
  posix_spawnattr_setflags(&group_of_its_own, POSIX_SPAWN_SETPGROUP);
  const int error = posix_spawnp(&process_, arguments[0].c_str(), &actions, &group_of_its_own,
                                 argument_pointers(arguments).data(), environ);
  posix_spawnattr_destroy(&group_of_its_own);
  posix_spawn_file_actions_destroy(&actions);
  close(input), close(output);
  if (error != 0) process_ = -1;
  to_ = fdopen(to, "w"), from_ = fdopen(from, "r");
}

Child::~Child() { end(); }

void Child::write_line(const std::string& line) { std::fputs((line + "\n").c_str(), to_), std::fflush(to_); }

std::string Child::read_line() {
  std::string line;
  for (int c = std::fgetc(from_); c != EOF && c != '\n'; c = std::fgetc(from_)) line += static_cast<char>(c);
  return line;
}

double Child::peak_bytes() const {
  std::ifstream status("/proc/" + std::to_string(process_) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return 1024 * std::stod(line.substr(6));  // in kB
  return 0;
}

int Child::end() {
  if (to_) std::fclose(std::exchange(to_, nullptr));
  if (from_) {
    while (std::fgetc(from_) != EOF) continue;
    std::fclose(std::exchange(from_, nullptr));
  }
  if (process_ < 0) return 127;
  int status = 0;
  while (waitpid(process_, &status, 0) < 0)
    if (errno != EINTR) return 127;
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int run_quietly(const std::vector<std::string>& arguments) { return Child(arguments).end(); }

const std::string& python_with_numpy() {
  static const std::string found = [] {
    for (const char* python : {"/usr/bin/python3", "python3"})
      if (run_quietly({python, "-c", "import numpy"}) == 0) return std::string(python);
    return std::string();
  }();
  return found;
}

}  // namespace doc2s::bench
