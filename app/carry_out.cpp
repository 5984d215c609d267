// SPDX-License-Identifier: Apache-2.0
#include "carry_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>

#include "aside.hpp"
#include "base/text.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "signals.hpp"
#include "table.hpp"

namespace doc2s::app {

namespace {

using Format = Quantity::Format;

// As one has to type it in a shell.
std::string shell_quoted(const std::string& path) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::strchr("._/=,+-", c);
  };
  if (!path.empty() && std::all_of(path.begin(), path.end(), plain)) return path;
  std::string quoted = "'";
  for (const char c : path) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

// "4,000 samples", "8,000 evaluations": the phrases of those quantities that are wanted and there.
template <class Wanted>
std::vector<std::string> phrases(const Record& record, Wanted wanted) {
  std::vector<std::string> parts;
  for (const Quantity& quantity : quantities())
    if (const double value = record[quantity.name];
        *quantity.phrase && wanted(quantity) && !std::isnan(value))
      parts.push_back(fmt::format(fmt::runtime(quantity.phrase), formatted(quantity, value)));
  return parts;
}

void print_closing_lines(const Config& config, const Summary& summary) {
  const Record& end = summary.end;
  const auto used = phrases(end, [](const Quantity& one) { return one.is_count(); });
  auto losses = phrases(end, [](const Quantity& one) { return one.format == Format::loss; });
  const auto other =
      phrases(end, [](const Quantity& one) { return !one.is_count() && one.format != Format::loss; });
  losses.front() +=
      fmt::format(" (from {}; best {} at iteration {})", loss_text(summary.loss_start),
                  loss_text(summary.best["loss_mean_point"]), with_commas(summary.best.whole("iteration")));
  fmt::print("{}, {} order: {} after {} iterations ({})\n", config.method.text("name"),
             config.method.text("order"), to_text(summary.status), with_commas(end.whole("iteration")),
             summary.stopped_by);
  fmt::print("  used     {}\n", joined(used));
  if (end["messages"] > 0)
    fmt::print("           sent over the wire: {} messages with {}, and {} more for records and outputs\n",
               with_commas(end.whole("messages")), bytes_text(end["wire_bytes"]),
               bytes_text(end["record_bytes"]));
  fmt::print("  reached  {}\n", joined(losses));
  if (!other.empty()) fmt::print("           {}\n", joined(other));
  fmt::print("  hash     {}\n  files    {}\n", summary.trajectory, summary.directory);
  if (summary.status == Status::interrupted && summary.checkpoint == end.whole("iteration"))
    fmt::print("  go on    doc2s run --resume {}\n", shell_quoted(summary.directory));
  if (summary.epochs == 0)
    fmt::print(
        "  note     no epoch was finished: output.npy and last.npy hold the mean of the unfinished one\n");
}

bool is_first(const RunOptions& options) { return !options.processes || options.processes->is_first(); }

// Those with a heading, time last; a count that is 0 in all runs is left out.
std::vector<Quantity> table_columns(const std::vector<Summary>& summaries) {
  std::vector<Quantity> columns;
  for (const Quantity& quantity : quantities()) {
    const auto uses = [&](const Summary& one) {
      const double value = one.end[quantity.name];
      return quantity.is_count() ? value > 0 : !std::isnan(value);
    };
    if (*quantity.heading && std::ranges::any_of(summaries, uses)) columns.push_back(quantity);
  }
  std::stable_partition(columns.begin(), columns.end(),
                        [](const Quantity& one) { return one.format != Format::seconds; });
  return columns;
}

}  // namespace

Summary watched_run(const Config& config, RunOptions options, bool quiet, KeptInMemory* kept) {
  const bool silent = quiet;
  quiet = quiet || !is_first(options);
  const bool alone = !options.processes || options.processes->count() == 1;
  listen_to_signals(alone &&
                    !quiet);  // of several processes, one that fails has said why, and ends the others
  ProgressLine line(quiet, "setting up");
  options.stop = &stop_requested;
  options.on_notices = [&](const std::vector<std::string>& notices) {
    if (silent) return;
    line.lift();
    for (const auto& notice : notices) aside("doc2s: note: {}\n", notice);
  };
  options.on_warning = [&](const std::string& warning) {
    line.lift();
    aside("doc2s: {}\n", warning);
  };
  const NothingToLose nothing_to_lose(alone);
  options.on_set_up = [&](const std::string& news) { line.show("setting up: " + news); };
  options.on_made = [&] {
    line.clear("computing the first record");
    nothing_to_lose.ends();
  };
  options.on_progress = [&](const Progress& progress) { line.show(progress); };
  return kept ? run(config, options, *kept) : run(config, options);
}

Summary carry_out(const Config& config, const RunOptions& options, bool quiet, KeptInMemory* kept) {
  const Summary summary = watched_run(config, options, quiet, kept);
  if (is_first(options)) print_closing_lines(config, summary);
  return summary;
}

int exit_code(const Summary& summary) {
  if (summary.status == Status::diverged) return 3;
  return summary.status == Status::interrupted ? 130 : 0;
}

RunOne carry_out_each(bool quiet) {
  return [quiet](const Config& config, const RunOptions& options) {
    Summary summary = carry_out(config, options, quiet);
    if (is_first(options) && summary.status != Status::interrupted) fmt::print("\n");
    return summary;
  };
}

int print_comparison(const Compared& compared, const RunOptions& options) {
  const std::vector<Quantity> columns = table_columns(compared.summaries);
  std::vector<std::vector<std::string>> rows = {{"method", "status"}};
  for (const Quantity& column : columns) rows.front().push_back(column.heading);
  int code = 0;
  for (std::size_t k = 0; k < compared.summaries.size(); ++k) {
    const Summary& summary = compared.summaries[k];
    rows.push_back({compared.configs[k].method.text("label"), to_text(summary.status)});
    for (const Quantity& column : columns) rows.back().push_back(formatted(column, summary.end[column.name]));
    code = std::max(code, exit_code(summary));
  }
  if (!is_first(options)) return code;
  print_table(rows);
  if (code == 130) fmt::print("\nTo go on: doc2s run --resume {}\n", shell_quoted(compared.root));
  fmt::print("\nTo look at it: doc2s report {0} -o {0}/report.html\n", compared.root);
  return code;
}

}  // namespace doc2s::app
