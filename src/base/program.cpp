// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "doc2s/base/error.hpp"

namespace doc2s {

std::vector<char*> argument_pointers(std::vector<std::string>& arguments) {
  std::vector<char*> all;
  for (auto& argument : arguments) all.push_back(argument.data());
  all.push_back(nullptr);
  return all;
}

int run_program(std::vector<std::string> arguments, const std::string& folder, const std::string& log) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (log.empty()) {
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(), O_WRONLY | O_CREAT, 0666);
  }
  pid_t process = 0;
  const int error = posix_spawnp(&process, arguments[0].c_str(), &actions, nullptr,
                                 argument_pointers(arguments).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT || error == EACCES || error == ENOTDIR) return -1;
  if (error != 0) throw_system_error("the program cannot be started", arguments[0], error);
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) throw_system_error("waiting for the program failed", arguments[0], errno);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace doc2s
