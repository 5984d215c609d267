// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "report/recorded_run.hpp"
#include "report/report.hpp"
#include "target.hpp"

namespace {

std::size_t scripts_in(const std::string& page) {
  std::size_t count = 0;
  for (auto at = page.find("</script"); at != page.npos; at = page.find("</script", at + 1)) ++count;
  return count;
}

}  // namespace

// metrics.jsonl, summary.json and setting.json with marks between them. No text of a run may close the page's
// script elements.
DOC2S_FUZZ_TARGET(bytes) {
  static const doc2s::fuzz::Folder folder("records");
  const auto [metrics, others] = doc2s::fuzz::halves(bytes, "|summary|");
  const auto [summary, setting] = doc2s::fuzz::halves(others, "|setting|");
  folder.write("metrics.jsonl", metrics);
  folder.write("summary.json", summary);
  folder.write("setting.json", setting);
  static const std::size_t own_scripts = scripts_in(doc2s::report_page({}, "runs"));
  if (scripts_in(doc2s::report_page(doc2s::read_runs({folder.path()}), "runs")) != own_scripts) std::abort();
}
