#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "aside.hpp"
#include "carry_out.hpp"
#include "commands.hpp"
#include "doc2s/base/error.hpp"
#include "run_cases.hpp"
#include "study/sweep.hpp"
#include "table.hpp"

namespace doc2s::app {

namespace {

// Runs the cases that are not done yet.
void run_open_cases(const std::vector<SweepCase>& open, std::size_t all, const SweepWords& words) {
  std::size_t done = all - open.size();
  run_cases(open, words.jobs, [&](const SweepCase& one, const Summary& summary) {
    done += summary.status != "interrupted";
    if (!words.quiet)
      aside("{} of {}: {} {}, loss {}\n", done, all, one.name, summary.status,
            figure(summary.last.loss_mean_point));
  });
}

struct Row {
  const SweepCase* one;
  SweepResult result;
};

std::vector<Row> ranked(const std::vector<SweepCase>& cases, const Yardstick& by) {
  std::vector<Row> rows;
  for (const auto& one : cases)
    if (is_done(one)) rows.push_back({&one, result_of(one, by)});
  const auto worth = [&](const Row& row) {
    if (std::isnan(row.result.figure)) return std::numeric_limits<double>::infinity();
    return by.larger_is_better() ? -row.result.figure : row.result.figure;
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return worth(a) < worth(b); });
  return rows;
}

void print_results(const std::vector<Row>& rows, const Yardstick& by, const std::string& root) {
  std::vector<std::vector<std::string>> table = {{"case", by.measure, "iteration"}};
  std::ofstream csv(root + "/sweep.csv");
  csv << "case," << by.measure << ",iteration,directory\n";
  for (const auto& [one, result] : rows) {
    table.push_back({one->name, figure(result.figure), std::to_string(result.iteration)});
    csv << fmt::format("\"{}\",{},{},\"{}\"\n", one->name, result.figure, result.iteration, one->directory);
  }
  print_table(table);
  if (!rows.empty())
    fmt::print(
        "\nbest by {}{}: {}\n  config {}/config.toml\n  all of it: doc2s report {} -o {}/report.html\n",
        by.measure, by.count.empty() ? "" : fmt::format(" within {} {}", by.most, by.count),
        rows.front().one->name, rows.front().one->directory, root, root);
}

}  // namespace

int sweep_command(const SweepWords& words) {
  const Yardstick by = yardstick(words.by, words.at);
  std::vector<SweepAxis> axes;
  for (const auto& over : words.over) axes.push_back(sweep_axis(over));
  Changes changes;
  for (const auto& change : words.changes) changes.push_back(change_from(change));
  const std::string root = words.out.empty()
                               ? "runs/" + std::filesystem::path(words.config).stem().string() + "-sweep"
                               : words.out;
  const std::vector<SweepCase> cases = sweep_cases(words.config, changes, axes, root);
  std::vector<SweepCase> open;
  for (const auto& one : cases)
    if (!is_done(one)) open.push_back(one);
  if (!words.quiet && open.size() < cases.size())
    aside("{} of {} cases are done already\n", cases.size() - open.size(), cases.size());
  listen_to_signals();
  run_open_cases(open, cases.size(), words);
  print_results(ranked(cases, by), by, root);
  return stop_requested ? 130 : 0;
}

}  // namespace doc2s::app
