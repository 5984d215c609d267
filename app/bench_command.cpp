// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "base/json.hpp"
#include "base/kernels.hpp"
#include "base/text.hpp"
#include "bench.hpp"
#include "commands.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/threads.hpp"
#include "flags.hpp"
#include "progress.hpp"
#include "signals.hpp"
#include "table.hpp"

namespace doc2s::app {

namespace {

struct BenchArgs {
  std::vector<std::string> tasks;  // none: all
  std::string json;                // a file; "" for none
  bool list = false, quick = false, quiet = false;
};

using bench::Findings, bench::Ratio, bench::Task;

bool is_config(const std::string& name) { return name.ends_with(".toml"); }

std::vector<Task> chosen_tasks(const std::vector<std::string>& names) {
  const auto& all = bench::tasks();
  std::vector<std::string> known;
  for (const auto& task : all) known.push_back(task.name);
  for (const auto& name : names)
    if (!is_config(name) && std::find(known.begin(), known.end(), name) == known.end())
      throw Error(fmt::format("there is no task {}", printable(name)), "bench",
                  "choose one of " + joined(known) + ", or give a config");
  std::vector<Task> chosen;
  for (const auto& name : names)
    if (is_config(name)) chosen.push_back(bench::problem_task(name));
  for (const auto& task : all)
    if (names.empty() || std::find(names.begin(), names.end(), task.name) != names.end())
      chosen.push_back(task);
  return chosen;
}

std::string wanted_text(const Ratio& ratio) {
  if (ratio.wanted == Ratio::Wanted::nothing) return "";
  return fmt::format("{} {:g}", ratio.wanted == Ratio::Wanted::at_least ? "at least" : "at most",
                     ratio.bound);
}

std::string verdict(const Ratio& ratio) {
  if (ratio.wanted == Ratio::Wanted::nothing) return "";
  return ratio.met() ? "met" : "missed";
}

void print_tables(const Findings& findings) {
  print_table(findings.table);
  std::vector<std::vector<std::string>> rows{{"ratio", "", "wanted", ""}};
  for (const auto& ratio : findings.ratios)
    rows.push_back({ratio.name, fmt::format("{:.2f}", ratio.value), wanted_text(ratio), verdict(ratio)});
  fmt::print("\n");
  print_table(rows);
}

void print_findings(const Findings& findings) {
  if (!findings.ratios.empty()) print_tables(findings);
  for (const auto& note : findings.notes) fmt::print("note: {}\n", note);
  fmt::print("\n");
  std::fflush(stdout);
}

std::string as_json(const Ratio& ratio) {
  JsonObject object;
  object.add("name", ratio.name).add("ratio", ratio.value);
  if (ratio.wanted == Ratio::Wanted::nothing) return object.line();
  object.add(ratio.wanted == Ratio::Wanted::at_least ? "at_least" : "at_most", ratio.bound);
  return object.add("met", ratio.met()).line();
}

std::string as_json(const Findings& findings) {
  JsonObject times;
  for (const auto& [name, seconds] : findings.times) times.add(name, seconds);
  std::vector<std::string> ratios, notes;
  for (const auto& ratio : findings.ratios) ratios.push_back(as_json(ratio));
  for (const auto& note : findings.notes) notes.push_back(json(note));
  JsonObject object;
  object.add_raw("times", times.line());
  if (!findings.ratios.empty()) object.add("ratio", findings.ratios.front().value);
  object.add_raw("ratios", "[" + joined(ratios) + "]").add_raw("notes", "[" + joined(notes) + "]");
  return object.line();
}

std::ofstream opened(const std::string& path, std::ios::openmode mode) {
  std::ofstream file(path, mode);
  if (!file) throw_system_error("the file cannot be written", path, errno);
  return file;
}

int list_tasks(const std::vector<Task>& tasks) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& task : tasks) rows.push_back({fmt::format("{:<9}", task.name) + task.summary});
  print_table(rows);
  return 0;
}

int bench_command(const BenchArgs& args) {
  const auto tasks = chosen_tasks(args.tasks);
  if (args.list) return list_tasks(tasks);
  if (!args.json.empty()) opened(args.json, std::ios::app);  // fails now rather than after the last task
  fmt::print("{} threads, kernels {}{}\n\n", usable_cores(), kernels_name(),
             args.quick ? ", small sizes: the times say little" : "");
  listen_to_signals(false);
  JsonObject all;
  for (const auto& task : tasks) {
    fmt::print("{}: {}\n\n", task.name, task.summary);
    std::fflush(stdout);
    const Findings findings = shown_work("preparing " + task.name, args.quiet, [&] {
      return task.run({args.quick, &stop_requested});
    });
    print_findings(findings);
    all.add_raw(task.name, as_json(findings));
  }
  if (args.json.empty()) return 0;
  if (!(opened(args.json, std::ios::out) << all.lines() << "\n").flush())
    throw_system_error("the file cannot be written", args.json, errno);
  return 0;
}

}  // namespace

void add_bench(CLI::App& program, Action& action) {
  auto args = std::make_shared<BenchArgs>();
  CLI::App* command =
      program.add_subcommand("bench", "measure this machine: times, and ratios to what is wanted");
  command->footer("Example:\n  doc2s bench\n  doc2s bench gossip a9a --json bench.json");
  command
      ->add_option("tasks", args->tasks,
                   "what to measure, or a config, of whose problem calls are timed; default: all of --list")
      ->type_name("TASK|CONFIG.toml");
  command->add_flag("--list", args->list, "say what can be measured, and measure nothing");
  command->add_flag("--quick", args->quick, "small sizes: checks every answer, but the times say little");
  command->add_option("--json", args->json, "also write the times and ratios there")->type_name("FILE");
  add_quiet(command, args->quiet);
  command->callback([=, &action] { action = [=] { return bench_command(*args); }; });
}

}  // namespace doc2s::app
