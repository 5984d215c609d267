// SPDX-License-Identifier: Apache-2.0
#include "gnuplot.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/file_writer.hpp"
#include "base/program.hpp"
#include "base/text.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s {

namespace fs = std::filesystem;

namespace {

constexpr const char* script_name = "figures.gnuplot";
constexpr const char* complaints_name = "complaints.txt";

class WorkFolder {
 public:
  explicit WorkFolder(const fs::path& parent) {
    make_folders(parent.string());
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

// gnuplot says nothing where its disk is full: what it made must have its end.
bool is_whole_figure(const std::string& bytes) {
  const std::size_t last = bytes.find_last_not_of('\n');
  const std::string_view text = std::string_view(bytes).substr(0, last + 1);
  return text.ends_with("</svg>") || text.ends_with("%%EOF");
}

void take_figure(const fs::path& made, const std::string& folder) {
  const std::string bytes = read_plain(made.string()), name = made.filename().string();
  if (!is_whole_figure(bytes))
    throw MachineError("gnuplot could not write this figure to its end", folder + "/" + name,
                       "is the disk full?");
  write_whole(folder, name, bytes);
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
  for (const auto& made : fs::directory_iterator(work.path)) take_figure(made.path(), folder);
}

}  // namespace doc2s
