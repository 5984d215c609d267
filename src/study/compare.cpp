// SPDX-License-Identifier: Apache-2.0
#include "compare.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "comparison.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "run/ended_run.hpp"
#include "run/run_directory.hpp"

namespace doc2s {

namespace fs = std::filesystem;

namespace {

bool is_first(const RunOptions& options) { return !options.processes || options.processes->is_first(); }

// What is left to do of a run in a comparison, as the first process sees it.
enum class Left { all, rest, nothing };
using LeftOf = std::function<Left(const ComparedRun& run, const std::string& directory)>;

Left left_of(const ComparedRun& run, const std::string& directory, bool longer, Processes& processes) {
  Left left = Left::all;
  if (processes.is_first() && holds_a_run(directory) && !read_whole(directory + "/config.toml").empty()) {
    check_same_run(run, directory);
    left = !longer && summary_of_ended(directory) ? Left::nothing : Left::rest;
  }
  return gathered<Left>(processes, {left}).front();
}

bool has_records(const std::string& directory) {
  std::error_code unknown;
  return fs::exists(directory + "/metrics.jsonl", unknown);
}

Compared compare_in(const std::string& root, const std::vector<ComparedRun>& runs, RunOptions options,
                    const RunOne& run_one, const LeftOf& left_of, bool going_on = false) {
  std::optional<DirectoryLock> lock;
  if (is_first(options) && fs::is_directory(root)) lock.emplace(root);
  if (is_first(options))
    options.on_begin = [&, also = options.on_begin] {
      if (!lock) lock.emplace(root);
      if (also) also();
    };
  Compared compared{root, {}, {}};
  const bool force = options.force;
  for (const ComparedRun& one : runs) {
    options.directory = root + "/" + one.folder;
    const Left left = left_of(one, options.directory);
    options.resume = left == Left::rest;
    options.force = force || (going_on && !has_records(options.directory));  // a kill may leave a claim
    compared.configs.push_back(one.config);
    compared.summaries.push_back(left == Left::nothing
                                     ? summary_of_ended(options.directory).value_or(Summary())
                                     : run_one(one.config, options));
    if (compared.summaries.back().status == Status::interrupted) break;
  }
  return compared;
}

std::vector<ComparedRun> compared_runs(const std::vector<Config>& configs) {
  std::vector<ComparedRun> runs;
  for (const auto& config : configs) runs.push_back({folder_name(config.method.text("label")), config});
  return runs;
}

// What the first process finds of an earlier start. Before the list of its runs is written, none of them has
// records.
enum class Begun { no, of_these, of_others };

Begun begun_of(const std::string& root, const std::vector<Config>& configs) {
  const std::vector<ComparedRun> runs = compared_runs(configs);
  if (holds_a_comparison(root))
    return same_runs(read_comparison(root, {}), runs) ? Begun::of_these : Begun::of_others;
  const bool any =
      std::ranges::any_of(runs, [&](const ComparedRun& run) { return has_records(root + "/" + run.folder); });
  return any ? Begun::of_others : Begun::no;
}

}  // namespace

Compared continue_comparison(const std::vector<Config>& configs, RunOptions options, const RunOne& run_one) {
  Begun begun = Begun::no;
  if (is_first(options)) begun = begun_of(options.directory, configs);
  begun = gathered<Begun>(*options.processes, {begun}).front();
  if (begun == Begun::of_these) return resume_comparison({}, options, run_one);
  if (begun == Begun::of_others && !options.force)
    throw Error("holds other runs", options.directory, "give another --out, or --force to replace them");
  options.force = true;
  return compare(configs, options, run_one);
}

Compared compare(const std::vector<Config>& configs, RunOptions options, const RunOne& run_one) {
  if (!options.trace.empty())
    throw Error("a trace is of one method, and this config has several", "--trace " + options.trace,
                "leave it out, or give a config with one [method]");
  const bool first = is_first(options), numbered = std::exchange(options.numbered, false);
  const std::string root = numbered && first ? make_numbered_folder(options.directory) : options.directory;
  if (first && holds_a_run(root))
    throw Error("already holds a run of one method", root, "give another --out");
  const std::vector<ComparedRun> runs = compared_runs(configs);
  if (first) options.on_begin = [&] { write_comparison(root, runs); };
  try {
    return compare_in(root, runs, options, run_one, [](const auto&...) { return Left::all; });
  } catch (...) {  // a mistake that ends the first run leaves no empty folder behind
    std::error_code not_empty;
    if (numbered && first && fs::remove(root, not_empty)) fs::remove(fs::path(root).parent_path(), not_empty);
    throw;
  }
}

Compared resume_comparison(const Changes& changes, RunOptions options, const RunOne& run_one) {
  const std::string root = options.directory;
  return compare_in(
      root, read_comparison(root, changes), options, run_one,
      [&](const ComparedRun& run, const std::string& directory) {
        return left_of(run, directory, !changes.empty(), *options.processes);
      },
      /*going_on=*/true);
}

}  // namespace doc2s
