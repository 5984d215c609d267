#include "gnuplot.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/program.hpp"
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
  const int code =
      run_program({"gnuplot", "--default-settings", script_name}, work.path.string(), complaints_name);
  if (code < 0)
    throw Error("gnuplot, which makes the figures, is not installed", "--svg and --pdf",
                "install Debian's package gnuplot-nox");
  if (code != 0)
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
