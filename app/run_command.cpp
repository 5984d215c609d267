#include <fmt/format.h>

#include <filesystem>

#include "carry_out.hpp"
#include "commands.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/json.hpp"
#include "doc2s/data/files.hpp"
#include "doc2s/run/comparison.hpp"

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

// The config that the run in a directory had. Before it was written there was nothing to lose.
std::string config_of_run(const std::string& directory) {
  const std::string where = "--resume " + directory, config = directory + "/config.toml";
  std::error_code unknown;
  if (!fs::is_directory(directory, unknown))
    throw Error("there is no such directory", where, "give the directory of a run");
  if (!fs::exists(config, unknown))
    throw Error("holds no run: there is no config.toml in it", where, "give the directory of a run");
  if (read_whole(config).empty())
    throw Error("the run was ended before it began", where,
                fmt::format("start it anew: doc2s run CONFIG --out {} --force", directory));
  return config;
}

int resume_command(const RunWords& words, Processes& processes) {
  if (!words.out.empty() || words.force)
    throw Error("a run goes on where it is", "--resume " + words.resume, "leave out --out and --force");
  RunOptions options = options_of(words, processes);
  if (holds_a_comparison(words.resume) && words.config.empty() && words.trace.empty())
    return resume_comparison(words.resume, changes_in(words), options, words.quiet);
  const std::string own = config_of_run(words.resume);
  const std::vector<Config> configs =
      read_configs(words.config.empty() ? own : words.config, changes_in(words));
  refuse_different_numbers(configs.size(), processes);
  if (configs.size() > 1)
    throw Error("has several methods, and the run has one", words.config, "leave the config out");
  options.directory = words.resume;
  options.resume = true;
  return exit_code(carry_out(configs.front(), options, words.quiet));
}

}  // namespace

int run_command(const RunWords& words, Processes& processes) {
  if (!words.resume.empty()) return resume_command(words, processes);
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
