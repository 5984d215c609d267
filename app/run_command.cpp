#include <filesystem>

#include "carry_out.hpp"
#include "commands.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s::app {

namespace {

// Processes with more methods than others would wait for them at the end.
void refuse_different_numbers(std::size_t methods, Processes& processes) {
  for (const std::size_t others : gathered<std::size_t>(processes, {methods}))
    if (others != methods)
      throw Error("the processes have configs with different numbers of methods", "",
                  "give all machines the same file");
}

}  // namespace

int run_command(const RunWords& words, Processes& processes) {
  if (words.config.empty()) throw Error("the config's name is empty", "run", "give a TOML file");
  Changes changes;
  for (const auto& change : words.changes) changes.push_back(change_from(change));
  const std::vector<Config> configs = read_configs(words.config, changes);
  refuse_different_numbers(configs.size(), processes);
  if (words.trace.size() > 1 && words.trace.front() != words.trace.back())
    throw Error("two different files are given", "--trace", "a run has one trace");
  RunOptions options;
  options.processes = &processes;
  options.numbered = words.out.empty();
  options.directory =
      options.numbered ? "runs/" + std::filesystem::path(words.config).stem().string() : words.out;
  options.force = words.force;
  options.trace = words.trace.empty() ? "" : words.trace.front();
  options.trace_insisted = words.trace.size() > 1;
  if (configs.size() > 1) return compare(configs, options, words.quiet);
  return exit_code(carry_out(configs.front(), options, words.quiet));
}

}  // namespace doc2s::app
