// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <iterator>

#include "base/json.hpp"
#include "carry_out.hpp"
#include "commands.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "flags.hpp"
#include "run/ended_run.hpp"
#include "run/run_directory.hpp"
#include "study/comparison.hpp"
#include "study/sweep.hpp"

namespace doc2s::app {

namespace fs = std::filesystem;

namespace {

struct RunArgs {
  std::string config;
  std::vector<std::string> changes;   // "key=value"
  std::string out;                    // "" picks an unused folder under runs/
  std::vector<std::string> trace;     // given twice: also where it is large
  std::optional<std::string> resume;  // the directory of a run to go on with
  std::string checkpoint_every;       // as the key run.checkpoint_every has it; "" leaves it
  bool trace_of_all = false;          // run.trace_of_all
  bool goes_on = false;               // --continue
  bool force = false;
  bool quiet = false;
};

// Processes with more methods than others would wait for them at the end.
void refuse_different_numbers(std::size_t methods, Processes& processes) {
  for (const std::size_t others : gathered<std::size_t>(processes, {methods}))
    if (others != methods)
      throw Error("the processes have configs with different numbers of methods", "",
                  "give all machines the same file");
}

Changes changes_in(const RunArgs& args) {
  Changes changes = changes_from(args.changes);
  if (!args.checkpoint_every.empty())
    changes.push_back(
        {"run.checkpoint_every", json(args.checkpoint_every), "--checkpoint-every " + args.checkpoint_every});
  if (args.trace_of_all) changes.push_back({"run.trace_of_all", "true", "--trace-of-all"});
  return changes;
}

// "-" is stdin, which the first process alone has.
std::vector<Config> configs_of(const std::string& path, const RunArgs& args, Processes& processes) {
  if (path != "-") return read_configs(path, changes_in(args));
  const std::string mine =
      processes.is_first() ? std::string(std::istreambuf_iterator<char>(std::cin), {}) : "";
  return parse_configs(processes.gather(mine).front(), "stdin", changes_in(args));
}

RunOptions options_of(const RunArgs& args, Processes& processes) {
  if (args.trace.size() > 1 && args.trace.front() != args.trace.back())
    throw Error("two different files are given", "--trace", "a run has one trace");
  RunOptions options;
  options.processes = &processes;
  options.force = args.force;
  options.trace = args.trace.empty() ? "" : args.trace.front();
  options.trace_insisted = args.trace.size() > 1;
  return options;
}

bool is_there(const std::string& path) {
  std::error_code unknown;
  return fs::exists(path, unknown);
}

void check_directory(const std::string& directory) {
  const std::string where = "--resume " + directory;
  std::error_code unknown;
  if (directory.empty())
    throw Error("the directory's name is empty", "--resume", "give the directory of a run");
  if (!is_there(directory)) throw Error("there is no such directory", where, "give the directory of a run");
  if (!fs::is_directory(directory, unknown))
    throw Error("is not a directory", where, "give the directory of a run");
}

// The config that the run in a directory had.
std::string config_of_run(const std::string& directory) {
  const std::string where = "--resume " + directory, config = directory + "/config.toml";
  const bool kept = has_checkpoint(directory);
  std::error_code unknown;
  if (fs::is_empty(directory, unknown))  // a kill between making the directory and claiming it leaves this
    throw Error("is empty: the run ended before its first iteration, or none was started", where,
                "start it: doc2s run CONFIG --out " + directory);
  if (!kept && is_there(directory + "/sweep.csv"))
    throw Error("is the folder of a sweep", where, "start the sweep again to continue it");
  if (!is_there(config) && !kept)
    throw Error("holds no run: there is no config.toml in it", where, "give the directory of a run");
  if (is_there(config) && !read_whole(config).empty()) return config;
  if (kept)
    throw Error("its config.toml is lost", where,
                "name the config too: doc2s run CONFIG --resume " + directory);
  throw Error("the run ended before its first iteration", where,
              fmt::format("start it again: doc2s run CONFIG --out {} --force", directory));
}

// A run that came to its end and left no checkpoint, of which nothing more is asked.
std::optional<Summary> nothing_left(const RunArgs& args) {
  if (!args.config.empty() || !args.changes.empty() || has_checkpoint(*args.resume)) return std::nullopt;
  return summary_of_ended(*args.resume);
}

int resume_command(const RunArgs& args, Processes& processes) {
  const std::string& directory = *args.resume;
  check_directory(directory);
  if (!args.out.empty() || args.force)
    throw Error("a resumed run keeps its directory", "--resume " + directory, "leave out --out and --force");
  RunOptions options = options_of(args, processes);
  if (holds_a_comparison(directory)) {
    if (!args.config.empty() || !args.trace.empty())
      throw Error("holds a comparison of several methods, which is resumed as a whole",
                  "--resume " + directory, "leave out the config and --trace");
    options.directory = directory;
    return print_comparison(resume_comparison(changes_in(args), options, carry_out_each(args.quiet)),
                            options);
  }
  const std::vector<Config> configs =
      configs_of(args.config.empty() ? config_of_run(directory) : args.config, args, processes);
  refuse_different_numbers(configs.size(), processes);
  if (configs.size() > 1)
    throw Error("has several methods, and the run has one", args.config, "leave the config out");
  if (const auto ended = nothing_left(args)) {
    if (processes.is_first())
      fmt::print("{}: {} already, after {} iterations; nothing is left to do\n", directory,
                 to_text(ended->status), ended->end.whole("iteration"));
    return exit_code(*ended);
  }
  options.directory = directory;
  options.resume = true;
  return exit_code(carry_out(configs.front(), options, args.quiet));
}

// At the first start it begins, at the next ones it goes on: for jobs that may be started again.
int continue_run(const Config& config, RunOptions options, bool quiet) {
  Processes& processes = *options.processes;
  const bool replaces = options.force && processes.is_first() && holds_another_run(options.directory, config);
  options.resume = !told_by_first(processes, replaces);
  std::vector<std::string> notes;
  if (!has_ended_already(options, config, notes)) return exit_code(carry_out(config, options, quiet));
  if (processes.is_first()) fmt::print("{}\n", notes.back());
  const auto ended = processes.is_first() ? summary_of_ended(options.directory) : std::nullopt;
  return gathered<int>(processes, {exit_code(ended.value_or(Summary()))}).front();
}

int run_command(const RunArgs& args, Processes& processes) {
  if (args.goes_on && (args.resume || args.out.empty() || args.config.empty()))
    throw Error("needs a config, and a directory to look into for what is there already", "--continue",
                "doc2s run CONFIG --out DIR --continue");
  if (args.resume) return resume_command(args, processes);
  if (args.config.empty())
    throw Error("no config is named", "run", "give a TOML file, or --resume and the directory of a run");
  const std::vector<Config> configs = configs_of(args.config, args, processes);
  refuse_different_numbers(configs.size(), processes);
  RunOptions options = options_of(args, processes);
  options.numbered = args.out.empty();
  const std::string name = args.config == "-" ? "stdin" : fs::path(args.config).stem().string();
  options.directory = options.numbered ? "runs/" + name : args.out;
  if (configs.size() > 1) {
    const auto compared = args.goes_on ? continue_comparison : compare;
    return print_comparison(compared(configs, options, carry_out_each(args.quiet)), options);
  }
  if (args.goes_on) return continue_run(configs.front(), options, args.quiet);
  return exit_code(carry_out(configs.front(), options, args.quiet));
}

}  // namespace

void add_run(CLI::App& program, Action& action, Processes& processes) {
  auto args = std::make_shared<RunArgs>();
  CLI::App* command = program.add_subcommand("run", "run the experiment that a config file describes");
  command->footer(
      "Example:\n  doc2s run configs/a9a-ring.toml --set method.R=8 --out runs/first\n"
      "  doc2s run --resume runs/first");
  command
      ->add_option("config", args->config,
                   "the experiment, a TOML file, or - for stdin; with --resume the run's own")
      ->type_name("CONFIG.toml");
  command
      ->add_option("--resume", args->resume,
                   "continue the run in this directory from its last checkpoint, to the same bits")
      ->type_name("RUN_DIR");
  command
      ->add_option("--checkpoint-every", args->checkpoint_every,
                   "time (60s, 5min, 2h) or iterations from one checkpoint to the next; default: 60s")
      ->type_name("TIME|N");
  add_set(command, args->changes);
  command->add_option("--out", args->out, "directory to write into; default: a new one under runs/")
      ->type_name("DIR");
  command
      ->add_option(
          "--trace", args->trace,
          "write the random draws and estimates of each iteration; give it twice to allow a large file")
      ->type_name("FILE")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_flag(
      "--trace-of-all", args->trace_of_all,
      "allow a trace of clients whose data the first process has not: it holds their gradients");
  command->add_flag("--continue", args->goes_on,
                    "go on with this run where the directory holds it already: for jobs that start again");
  command->add_flag("--force", args->force, "replace the run that the directory already holds");
  command->add_flag("--quiet", args->quiet, "no progress and no notes on stderr");
  command->callback(
      [=, &action, &processes] { action = [=, &processes] { return run_command(*args, processes); }; });
}

}  // namespace doc2s::app
