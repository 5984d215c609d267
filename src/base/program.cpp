// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>

#include "doc2s/base/error.hpp"
#include "file_writer.hpp"
#include "uninterrupted.hpp"

namespace doc2s {

std::vector<char*> argument_pointers(std::vector<std::string>& arguments) {
  std::vector<char*> all;
  for (auto& argument : arguments) all.push_back(argument.data());
  all.push_back(nullptr);
  return all;
}

namespace {

// −1 if there is no such program.
pid_t start(std::vector<std::string>& arguments, posix_spawn_file_actions_t& actions) {
  pid_t process = -1;
  const int error = posix_spawnp(&process, arguments[0].c_str(), &actions, nullptr,
                                 argument_pointers(arguments).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT || error == EACCES || error == ENOTDIR) return -1;
  if (error != 0) throw_system_error("the program cannot be started", arguments[0], error);
  return process;
}

int exit_code(pid_t process, const std::string& name) {
  if (process < 0) return -1;
  int status = 0;
  if (uninterrupted([&] { return waitpid(process, &status, 0); }) < 0)
    throw_system_error("waiting for the program failed", name, errno);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {
    if (number < 0) throw_system_error("memory for another program cannot be had", "", errno);
  }
  ~Descriptor() { close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(number_); }

 private:
  const int number_;
};

}  // namespace

ProgramAnswer ask_program(std::vector<std::string> arguments, std::string_view input) {
  const Descriptor asked(memfd_create("input", MFD_CLOEXEC)), said(memfd_create("output", MFD_CLOEXEC));
  FileWriter writer(asked.path(), arguments[0]);
  writer.write(input);
  writer.flush();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, asked.number(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, said.number(), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const int code = exit_code(start(arguments, actions), arguments[0]);
  std::ostringstream text;
  text << std::ifstream(said.path(), std::ios::binary).rdbuf();
  return {code, text.str()};
}

}  // namespace doc2s
