#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <filesystem>

#include "carry_out.hpp"
#include "commands.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/run/run_directory.hpp"
#include "progress.hpp"

namespace doc2s::app {

namespace {

std::atomic<bool> stop_requested{false};

// The first signal asks the run to end after this iteration; a second one ends the program.
void listen_to_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { stop_requested = true; };
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int exit_code(const std::string& status) {
  if (status == "diverged") return 3;
  return status == "interrupted" ? 130 : 0;
}

}  // namespace

void print_closing_lines(const Config& config, const Summary& summary, const std::string& directory) {
  const Counts& counts = summary.counts;
  const Measures& last = summary.last;
  fmt::print("{}, {} order: {} after {} iterations ({})\n", config.method.text("name"),
             config.method.text("order"), summary.status, with_commas(counts.iteration), summary.stopped_by);
  fmt::print(
      "  used     {} samples, {} evaluations, {} computation rounds, {} communication rounds, {:.3g} MB, "
      "{:.2f} s\n",
      with_commas(counts.samples), with_commas(counts.evaluations), with_commas(counts.computation_rounds),
      with_commas(counts.communication_rounds), static_cast<double>(counts.bytes) / 1e6, counts.seconds);
  fmt::print(
      "  reached  loss {:.4f} at the mean (from {:.4f}; best {:.4f} at iteration {}), {:.4f} over clients, "
      "{:.4f} at worst\n",
      last.loss_mean_point, summary.first.loss_mean_point, summary.best.loss_mean_point,
      with_commas(summary.best_iteration), last.loss_clients, last.loss_worst);
  fmt::print("           consensus error {:.3g}", last.consensus);
  if (!std::isnan(last.accuracy)) fmt::print(", test accuracy {:.2f} %", 100 * last.accuracy);
  fmt::print("\n  hash     {}\n  files    {}\n", summary.trajectory, directory);
  if (summary.epochs == 0)
    fmt::print(
        "  note     no epoch was finished: output.npy and last.npy hold the mean of the unfinished one\n");
}

int carry_out(const Config& config, RunOptions options, bool quiet) {
  listen_to_signals();
  ProgressLine line(quiet);
  const auto also = options.on_progress;
  options.stop = &stop_requested;
  options.on_notices = [&](const std::vector<std::string>& notices) {
    if (quiet) return;
    for (const auto& notice : notices) fmt::print(stderr, "doc2s: note: {}\n", notice);
  };
  options.on_progress = [&](const Progress& progress) {
    line.show(progress);
    if (also) also(progress);
  };
  const Summary summary = run(config, options);
  line.clear();
  print_closing_lines(config, summary, options.directory);
  return exit_code(summary.status);
}

int run_command(const RunWords& words) {
  Changes changes;
  for (const auto& change : words.changes) changes.push_back(change_from(change));
  const Config config = read_config(words.config, changes);
  if (words.trace.size() > 1 && words.trace.front() != words.trace.back())
    throw Error("two different files are given", "--trace", "a run has one trace");
  RunOptions options;
  options.directory = words.out.empty()
                          ? unused_directory("runs/" + std::filesystem::path(words.config).stem().string())
                          : words.out;
  options.force = words.force;
  options.trace = words.trace.empty() ? "" : words.trace.front();
  options.trace_insisted = words.trace.size() > 1;
  return carry_out(config, options, words.quiet);
}

}  // namespace doc2s::app
