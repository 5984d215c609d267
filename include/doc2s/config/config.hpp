#pragma once
#include <string>
#include <vector>

#include "doc2s/config/options.hpp"

namespace doc2s {

// Every value in force.
struct Config {
  Settings general, problem{"problem"}, clients{"clients"}, network{"network"}, method{"method"}, run{"run"};
  std::vector<std::string> notices;  // e.g. a key that has no meaning for the graph that was chosen

  Settings& section(const std::string& name);
  const Settings& section(const std::string& name) const;

  std::uint64_t seed() const { return static_cast<std::uint64_t>(general.integer("seed")); }
};

// A value from a command line that overrides the file's.
struct Change {
  std::string key;    // "method.eta"
  std::string value;  // as TOML, or a bare text
  std::string where;  // for messages, e.g. "--set method.eta=0.1"
};
using Changes = std::vector<Change>;

Change change_from(const std::string& key_equals_value);  // the words after --set

// Reads and checks a config; the first mistake is thrown as Error with file, line and column. A config with
// several
// [[method]] tables is one config for each of them, alike in all else.
std::vector<Config> read_configs(const std::string& path, const Changes& changes = {});
std::vector<Config> parse_configs(const std::string& text, const std::string& name,
                                  const Changes& changes = {});

// The fallbacks with these changes: for commands without a config file.
Config default_config(const Changes& changes = {});

// The whole config as TOML: running it again is the same experiment.
std::string written(const Config& config);

// Of that, what decides f: seed, precision, problem and clients.
std::string written_problem(const Config& config);

}  // namespace doc2s
