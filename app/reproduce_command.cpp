#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "carry_out.hpp"
#include "commands.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/threads.hpp"
#include "report/report.hpp"
#include "reproduction.hpp"
#include "table.hpp"

namespace doc2s::app {

namespace fs = std::filesystem;

namespace {

int list_figures(Scale scale) {
  std::vector<std::vector<std::string>> table = {{"figure", "paper", "what"}};
  for (const auto& study : studies(scale)) {
    std::set<std::string> seen;
    for (const auto& view : study.views)
      if (seen.insert(view.figure).second) table.push_back({view.figure, view.paper, study.title});
  }
  fmt::print("{}", left_table_text(table));
  return 0;
}

// A file in it says that the folder is ours, and of which scale.
void claim_folder(const std::string& root, Scale scale) {
  const fs::path mark = fs::path(root) / "reproduce.txt";
  const std::string words = name_of(scale) + "\n";
  if (fs::exists(root) && !fs::is_directory(root))
    throw Error("is not a directory", root, "give another --out");
  if (fs::exists(root) && !fs::is_empty(root) && !fs::exists(mark))
    throw Error("holds other things than what doc2s reproduce made", root, "give another --out");
  if (fs::exists(mark) && read_plain(mark.string()) != words)
    throw Error("holds figures of another scale", root, "give another --out");
  std::error_code failed;
  fs::create_directories(root, failed);
  if (failed) throw_system_error("cannot be made a directory", root, failed.value());
  write_whole_file(mark.string(), words);
}

}  // namespace

int reproduce_command(const ReproduceWords& words) {
  const Scale scale = scale_named(words.scale);
  if (words.list) return list_figures(scale);
  if (words.figure.empty())
    throw Error("no figure is named", "reproduce", "name one, or all; doc2s reproduce --list shows them");
  const std::vector<Study> chosen = studies_named(words.figure, scale);
  const std::string root = words.out.empty() ? "runs/reproduce-" + words.scale : words.out;
  claim_folder(root, scale);
  listen_to_signals();
  Reproduction reproduction(scale, root, words.jobs > 0 ? words.jobs : usable_cores(), words.quiet);
  for (const auto& study : chosen)
    if (!stop_requested) reproduction.make(study);
  return reproduction.finish();
}

}  // namespace doc2s::app
