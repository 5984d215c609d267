// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "doc2s/base/error.hpp"
#include "report.hpp"
#include "run/run_directory.hpp"

namespace doc2s {

namespace fs = std::filesystem;

namespace {

// What stands within the first bytes of a file, by its kind.
constexpr const char* marks[] = {"<meta name=\"generator\" content=\"doc2s", "run,directory,seed,",
                                 "<title>doc2s: ", "%PDF-"};

bool is_earlier(const std::string& path, ReportFile kind) {
  std::string head(1024, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), std::ssize(head));
  const auto has = [&](const char* mark) { return head.find(mark) != std::string::npos; };
  return has(marks[static_cast<int>(kind)]) ||
         (kind == ReportFile::svg && has("<title>Gnuplot</title>"));  // 1.0
}

void check_file(const std::string& path, ReportFile kind, const std::vector<RecordedRun>& runs, bool force) {
  for (const auto& run : runs)
    if (is_run_file(run.directory, path))
      throw Error("is a file of a run that is reported on", path, "give another file");
  std::error_code unknown;
  const fs::file_status status = fs::status(path, unknown);
  if (!fs::exists(status) || fs::is_directory(status)) return;
  if (!fs::is_regular_file(status)) throw Error("is not a regular file", path, "give another file");
  if (!force && !is_earlier(path, kind))
    throw Error("exists and is no earlier report", path, "give another file, or --force to replace it");
}

}  // namespace

void check_replaceable(const std::string& path, ReportFile kind, const std::vector<RecordedRun>& runs,
                       bool force, const std::vector<Figure>& figures) {
  if (path.empty()) return;
  if (kind == ReportFile::page || kind == ReportFile::table) return check_file(path, kind, runs, force);
  const char* ending = kind == ReportFile::svg ? "svg" : "pdf";
  for (const Figure& figure : figures)
    check_file(fmt::format("{}/{}.{}", path, figure.name(), ending), kind, runs, force);
}

}  // namespace doc2s
