#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <filesystem>

#include "carry_out.hpp"
#include "commands.hpp"
#include "doc2s/base/error.hpp"
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
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes then shows as a failed write
}

std::string figure(double number) {
  return std::isfinite(number) ? fmt::format("{:.4f}", number) : "not finite";
}

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
  fmt::print(
      "  reached  loss {} at the mean (from {}; best {} at iteration {}), {} over clients, {} at worst\n",
      figure(last.loss_mean_point), figure(summary.first.loss_mean_point),
      figure(summary.best.loss_mean_point), with_commas(summary.best_iteration), figure(last.loss_clients),
      figure(last.loss_worst));
  fmt::print("           consensus error {:.3g}", last.consensus);
  if (!std::isnan(last.accuracy)) fmt::print(", test accuracy {:.2f} %", 100 * last.accuracy);
  fmt::print("\n  hash     {}\n  files    {}\n", summary.trajectory, summary.directory);
  if (summary.epochs == 0)
    fmt::print(
        "  note     no epoch was finished: output.npy and last.npy hold the mean of the unfinished one\n");
}

}  // namespace

Summary carry_out(const Config& config, RunOptions options, bool quiet) {
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
  print_closing_lines(config, summary);
  return summary;
}

int exit_code(const Summary& summary) {
  if (summary.status == "diverged") return 3;
  return summary.status == "interrupted" ? 130 : 0;
}

int run_command(const RunWords& words) {
  if (words.config.empty()) throw Error("the config's name is empty", "run", "give a TOML file");
  Changes changes;
  for (const auto& change : words.changes) changes.push_back(change_from(change));
  const Config config = read_configs(words.config, changes).front();
  if (words.trace.size() > 1 && words.trace.front() != words.trace.back())
    throw Error("two different files are given", "--trace", "a run has one trace");
  RunOptions options;
  options.numbered = words.out.empty();
  options.directory =
      options.numbered ? "runs/" + std::filesystem::path(words.config).stem().string() : words.out;
  options.force = words.force;
  options.trace = words.trace.empty() ? "" : words.trace.front();
  options.trace_insisted = words.trace.size() > 1;
  return exit_code(carry_out(config, options, words.quiet));
}

}  // namespace doc2s::app
