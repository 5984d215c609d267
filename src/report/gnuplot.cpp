#include "gnuplot.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "report.hpp"

namespace doc2s {

namespace fs = std::filesystem;

namespace {

constexpr const char* script_name = "figures.gnuplot";
constexpr const char* complaints_name = "complaints.txt";

class WorkFolder {
 public:
  explicit WorkFolder(const fs::path& parent) {
    std::error_code failed;
    fs::create_directories(parent, failed);
    if (failed) throw_system_error("cannot be made a directory", parent.string(), failed.value());
    std::string name = (parent / ".figures-XXXXXX").string();
    if (!mkdtemp(name.data())) throw_system_error("cannot be written into", parent.string(), errno);
    path = name;
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  fs::path path;
};

pid_t start_gnuplot(const fs::path& folder) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, complaints_name, O_WRONLY | O_CREAT, 0666);
  std::vector<std::string> words = {"gnuplot", "--default-settings", script_name};
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = 0;
  const int failure = posix_spawnp(&process, "gnuplot", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure == ENOENT)
    throw Error("gnuplot, which makes the figures, is not installed", "--svg and --pdf",
                "install Debian's package gnuplot-nox");
  if (failure != 0) throw_system_error("cannot be started", "gnuplot", failure);
  return process;
}

std::string first_complaint(const fs::path& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.find_first_not_of(" \t^") != std::string::npos) return printable(line);
  return "it gave no reason";
}

}  // namespace

void run_gnuplot(const std::string& script, const std::string& folder) {
  const WorkFolder work(folder);
  write_whole_file((work.path / script_name).string(), script);
  const pid_t process = start_gnuplot(work.path);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw MachineError("gnuplot failed: " + first_complaint(work.path / complaints_name), folder,
                       "is Debian's package gnuplot-nox whole?");
  fs::remove(work.path / script_name);
  fs::remove(work.path / complaints_name);
  std::error_code failed;
  for (const auto& made : fs::directory_iterator(work.path)) {
    fs::rename(made.path(), fs::path(folder) / made.path().filename(), failed);
    if (failed) throw_system_error("cannot be written into", folder, failed.value());
  }
}

}  // namespace doc2s
