#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "report/recorded_run.hpp"
#include "report/report.hpp"
#include "target.hpp"

namespace {

// A run's directory in memory.
struct Folder {
  std::string path = "/dev/shm/doc2s-fuzz-records-" + std::to_string(getpid());

  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  void write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path + "/" + name, std::ios::binary) << bytes;
  }
};

std::size_t scripts_in(const std::string& page) {
  std::size_t count = 0;
  for (auto at = page.find("</script"); at != page.npos; at = page.find("</script", at + 1)) ++count;
  return count;
}

}  // namespace

// metrics.jsonl, summary.json and setting.json with marks between them. No text of a run may close the page's
// script elements.
DOC2S_FUZZ_TARGET(bytes) {
  static const Folder folder;
  const auto [metrics, others] = doc2s::fuzz::halves(bytes, "|summary|");
  const auto [summary, setting] = doc2s::fuzz::halves(others, "|setting|");
  folder.write("metrics.jsonl", metrics);
  folder.write("summary.json", summary);
  folder.write("setting.json", setting);
  static const std::size_t own_scripts = scripts_in(doc2s::report_page({}, "runs"));
  if (scripts_in(doc2s::report_page(doc2s::read_runs({folder.path}), "runs")) != own_scripts) std::abort();
}
