#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "fetch_parts.hpp"

namespace doc2s {

namespace {

class Actions {
 public:
  explicit Actions(const std::string& folder) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, STDERR_FILENO, STDOUT_FILENO);
    if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
  }
  ~Actions() { posix_spawn_file_actions_destroy(&actions_); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (auto& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

int run_program(const std::vector<std::string>& words, const std::string& folder) {
  std::vector<std::string> arguments = words, variables;
  for (char** entry = environ; *entry; ++entry) variables.push_back(*entry);
  variables.push_back("DEBIAN_FRONTEND=noninteractive");
  const Actions actions(folder);
  pid_t process = 0;
  const int error = posix_spawnp(&process, words[0].c_str(), actions.get(), nullptr,
                                 pointers(arguments).data(), pointers(variables).data());
  if (error == ENOENT || error == EACCES || error == ENOTDIR) return -1;
  if (error != 0) throw_system_error("the program cannot be started", words[0], error);
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) throw_system_error("the program was lost", words[0], errno);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace doc2s
