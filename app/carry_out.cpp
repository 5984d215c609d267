#include "carry_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <utility>

#include "aside.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "progress.hpp"
#include "run/run_directory.hpp"
#include "study/comparison.hpp"
#include "table.hpp"

namespace doc2s::app {

std::atomic<bool> stop_requested{false};

void listen_to_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { stop_requested = true; };
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction hangup {};  // of the terminal, unless nohup has it ignored
  if (sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, nullptr);
  sigaction(SIGUSR1, &action,
            nullptr);             // mpirun passes it on, where the other two make it kill its processes
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes then shows as a failed write
}

// As one has to type it in a shell.
std::string as_a_word(const std::string& path) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::strchr("._/=,+-", c);
  };
  if (!path.empty() && std::all_of(path.begin(), path.end(), plain)) return path;
  std::string word = "'";
  for (const char c : path) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

std::string figure(double number) {
  return std::isfinite(number) ? fmt::format("{:.4f}", number) : "not finite";
}

namespace {

void print_closing_lines(const Config& config, const Summary& summary) {
  const Counts& counts = summary.counts;
  const Measures& last = summary.last;
  fmt::print("{}, {} order: {} after {} iterations ({})\n", config.method.text("name"),
             config.method.text("order"), summary.status, with_commas(counts.iteration), summary.stopped_by);
  fmt::print(
      "  used     {} samples, {} evaluations, {} computation rounds, {} communication rounds, {} of gossip, "
      "{:.2f} s\n",
      with_commas(counts.samples), with_commas(counts.evaluations), with_commas(counts.computation_rounds),
      with_commas(counts.communication_rounds), bytes_in_words(counts.bytes), counts.seconds);
  if (counts.messages > 0)
    fmt::print("           sent over the wire: {} messages with {}, and {} more for records and outputs\n",
               with_commas(counts.messages), bytes_in_words(counts.wire_bytes),
               bytes_in_words(counts.record_bytes));
  fmt::print(
      "  reached  loss {} at the mean (from {}; best {} at iteration {}), {} over clients, {} at worst\n",
      figure(last.loss_mean_point), figure(summary.first.loss_mean_point),
      figure(summary.best.loss_mean_point), with_commas(summary.best_iteration), figure(last.loss_clients),
      figure(last.loss_worst));
  fmt::print("           consensus error {:.3g}", last.consensus);
  if (!std::isnan(last.accuracy)) fmt::print(", test accuracy {:.2f} %", 100 * last.accuracy);
  fmt::print("\n  hash     {}\n  files    {}\n", summary.trajectory, summary.directory);
  if (summary.status == "interrupted" && summary.checkpoint == counts.iteration)
    fmt::print("  go on    doc2s run --resume {}\n", as_a_word(summary.directory));
  if (summary.epochs == 0)
    fmt::print(
        "  note     no epoch was finished: output.npy and last.npy hold the mean of the unfinished one\n");
}

std::vector<std::string> row_of(const Config& config, const Summary& summary) {
  const Counts& counts = summary.counts;
  const Measures& last = summary.last;
  return {config.method.text("label"),
          summary.status,
          with_commas(counts.samples),
          with_commas(counts.evaluations),
          with_commas(counts.computation_rounds),
          with_commas(counts.communication_rounds),
          bytes_in_words(counts.bytes),
          figure(last.loss_mean_point),
          figure(last.loss_clients),
          figure(last.loss_worst),
          std::isnan(last.accuracy) ? "-" : fmt::format("{:.2f} %", 100 * last.accuracy),
          fmt::format("{:.3g}", last.consensus),
          fmt::format("{:.2f}", counts.seconds)};
}

}  // namespace

bool is_first(const RunOptions& options) { return !options.processes || options.processes->is_first(); }

Summary carry_out(const Config& config, RunOptions options, bool quiet) {
  listen_to_signals();
  const bool watching = is_first(options);
  quiet = quiet || !watching;
  ProgressLine line(quiet);
  const auto also = options.on_progress;
  options.stop = &stop_requested;
  options.on_notices = [&](const std::vector<std::string>& notices) {
    if (quiet) return;
    for (const auto& notice : notices) aside("doc2s: note: {}\n", notice);
  };
  options.on_warning = [&](const std::string& warning) {
    line.clear();
    aside("doc2s: {}\n", warning);
  };
  options.on_progress = [&](const Progress& progress) {
    line.show(progress);
    if (also) also(progress);
  };
  const Summary summary = run(config, options);
  line.clear();
  if (watching) print_closing_lines(config, summary);
  return summary;
}

int exit_code(const Summary& summary) {
  if (summary.status == "diverged") return 3;
  return summary.status == "interrupted" ? 130 : 0;
}

namespace {

// A mistake that ends the first run leaves no empty folder behind: `made`, if any, and the one around it.
Summary carry_out_in(const std::string& made, const Config& config, const RunOptions& options, bool quiet) {
  try {
    return carry_out(config, options, quiet);
  } catch (...) {
    std::error_code not_empty;
    if (!made.empty() && std::filesystem::remove(made, not_empty))
      std::filesystem::remove(std::filesystem::path(made).parent_path(), not_empty);
    throw;
  }
}

}  // namespace

namespace {

const std::vector<std::string> table_head = {
    "method", "status",       "samples",      "evaluations", "computation rounds", "communication rounds",
    "gossip", "loss at mean", "over clients", "worst",       "accuracy",           "consensus",
    "seconds"};

// What is left to do of a run in a comparison, as the first process sees it.
enum class Left { all, rest, nothing };

Left left_of(const ComparedRun& run, const std::string& directory, bool longer, Processes& processes) {
  Left left = Left::all;
  if (processes.is_first() && holds_a_run(directory) && !read_whole(directory + "/config.toml").empty()) {
    check_same_run(run, directory);
    left = !longer && summary_of_ended(directory) ? Left::nothing : Left::rest;
  }
  return gathered<Left>(processes, {left}).front();
}

int compare_in(const std::string& root, const std::string& made, const std::vector<ComparedRun>& runs,
               RunOptions options, bool quiet,
               const std::function<Left(const ComparedRun&, const std::string&)>& left) {
  std::optional<DirectoryLock> alone;
  if (is_first(options) && std::filesystem::is_directory(root)) alone.emplace(root);
  if (is_first(options))
    options.on_begin = [&, also = options.on_begin] {
      if (!alone) alone.emplace(root);
      if (also) also();
    };

  std::vector<std::vector<std::string>> rows = {table_head};
  int code = 0;
  for (const ComparedRun& one : runs) {
    const Config& config = one.config;
    options.directory = root + "/" + one.folder;
    const Left open = left(one, options.directory);
    options.resume = open == Left::rest;
    Summary summary;
    if (open != Left::nothing)
      summary = carry_out_in(made, config, options, quiet);
    else if (const auto ended = summary_of_ended(options.directory))
      summary = *ended;
    rows.push_back(row_of(config, summary));
    code = std::max(code, exit_code(summary));
    if (summary.status == "interrupted") break;
    if (is_first(options) && open != Left::nothing) fmt::print("\n");
  }
  if (!is_first(options)) return code;
  print_table(rows);
  if (code == 130) fmt::print("\nTo go on: doc2s run --resume {}\n", as_a_word(root));
  fmt::print("\nTo look at it: doc2s report {0} -o {0}/report.html\n", root);
  return code;
}

}  // namespace

int compare(const std::vector<Config>& configs, RunOptions options, bool quiet) {
  if (!options.trace.empty())
    throw Error("a trace is of one method, and this config has several", "--trace " + options.trace,
                "leave it out, or give a config with one [method]");
  const bool first = is_first(options), numbered = std::exchange(options.numbered, false);
  const std::string root = numbered && first ? make_numbered_folder(options.directory) : options.directory;
  if (first && holds_a_run(root))
    throw Error("already holds a run of one method", root, "give another --out");
  std::vector<ComparedRun> runs;
  for (const auto& config : configs) runs.push_back({folder_name(config.method.text("label")), config});
  const std::string made = numbered && first ? root : "";
  if (first) options.on_begin = [&, root] { write_comparison(root, runs); };
  return compare_in(root, made, runs, options, quiet,
                    [](const ComparedRun&, const std::string&) { return Left::all; });
}

int resume_comparison(const std::string& root, const Changes& changes, RunOptions options, bool quiet) {
  return compare_in(root, "", read_comparison(root, changes), options, quiet,
                    [&](const ComparedRun& run, const std::string& directory) {
                      return left_of(run, directory, !changes.empty(), *options.processes);
                    });
}

}  // namespace doc2s::app
