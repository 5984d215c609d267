#include <fmt/format.h>

#include <filesystem>

#include "base/json.hpp"
#include "carry_out.hpp"
#include "commands.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "run/run_directory.hpp"
#include "study/comparison.hpp"

namespace doc2s::app {

namespace fs = std::filesystem;

namespace {

// Processes with more methods than others would wait for them at the end.
void refuse_different_numbers(std::size_t methods, Processes& processes) {
  for (const std::size_t others : gathered<std::size_t>(processes, {methods}))
    if (others != methods)
      throw Error("the processes have configs with different numbers of methods", "",
                  "give all machines the same file");
}

Changes changes_in(const RunWords& words) {
  Changes changes;
  for (const auto& change : words.changes) changes.push_back(change_from(change));
  if (!words.checkpoint_every.empty())
    changes.push_back({"run.checkpoint_every", json(words.checkpoint_every),
                       "--checkpoint-every " + words.checkpoint_every});
  return changes;
}

RunOptions options_of(const RunWords& words, Processes& processes) {
  if (words.trace.size() > 1 && words.trace.front() != words.trace.back())
    throw Error("two different files are given", "--trace", "a run has one trace");
  RunOptions options;
  options.processes = &processes;
  options.force = words.force;
  options.trace = words.trace.empty() ? "" : words.trace.front();
  options.trace_insisted = words.trace.size() > 1;
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
  if (!kept && is_there(directory + "/sweep.csv"))
    throw Error("is the folder of a sweep", where, "start the sweep again, and it goes on");
  if (!is_there(config) && !kept)
    throw Error("holds no run: there is no config.toml in it", where, "give the directory of a run");
  if (is_there(config) && !read_whole(config).empty()) return config;
  if (kept)
    throw Error("its config.toml is lost", where,
                "name the config too: doc2s run CONFIG --resume " + directory);
  throw Error("the run was ended before it began", where,
              fmt::format("start it anew: doc2s run CONFIG --out {} --force", directory));
}

// A run that came to its end and left no checkpoint, of which nothing more is asked.
std::optional<Summary> nothing_left(const RunWords& words) {
  if (!words.config.empty() || !words.changes.empty() || has_checkpoint(*words.resume)) return std::nullopt;
  return summary_of_ended(*words.resume);
}

int resume_command(const RunWords& words, Processes& processes) {
  const std::string& directory = *words.resume;
  check_directory(directory);
  if (!words.out.empty() || words.force)
    throw Error("a run goes on where it is", "--resume " + directory, "leave out --out and --force");
  RunOptions options = options_of(words, processes);
  if (holds_a_comparison(directory)) {
    if (!words.config.empty() || !words.trace.empty())
      throw Error("holds a comparison of several methods, which goes on as it was started",
                  "--resume " + directory, "leave out the config and --trace");
    return resume_comparison(directory, changes_in(words), options, words.quiet);
  }
  const std::vector<Config> configs =
      read_configs(words.config.empty() ? config_of_run(directory) : words.config, changes_in(words));
  refuse_different_numbers(configs.size(), processes);
  if (configs.size() > 1)
    throw Error("has several methods, and the run has one", words.config, "leave the config out");
  if (const auto ended = nothing_left(words)) {
    if (processes.is_first())
      fmt::print("{}: {} already, after {} iterations; nothing is left to do\n", directory, ended->status,
                 ended->counts.iteration);
    return exit_code(*ended);
  }
  options.directory = directory;
  options.resume = true;
  return exit_code(carry_out(configs.front(), options, words.quiet));
}

}  // namespace

int run_command(const RunWords& words, Processes& processes) {
  if (words.resume) return resume_command(words, processes);
  if (words.config.empty())
    throw Error("no config is named", "run", "give a TOML file, or --resume and the directory of a run");
  const std::vector<Config> configs = read_configs(words.config, changes_in(words));
  refuse_different_numbers(configs.size(), processes);
  RunOptions options = options_of(words, processes);
  options.numbered = words.out.empty();
  options.directory = options.numbered ? "runs/" + fs::path(words.config).stem().string() : words.out;
  if (configs.size() > 1) return compare(configs, options, words.quiet);
  return exit_code(carry_out(configs.front(), options, words.quiet));
}

}  // namespace doc2s::app
