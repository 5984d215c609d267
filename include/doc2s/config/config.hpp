// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "doc2s/config/options.hpp"

namespace doc2s {

struct KnownOption;

// Every value in force. Once resolved it stays as it is; what data and network decide makes a new one.
struct Config {
  Settings general, problem{"problem"}, clients{"clients"}, network{"network"}, method{"method"}, run{"run"};
  std::vector<std::string> notices;  // e.g. a key that has no meaning for the graph that was chosen
  const std::vector<KnownOption>* schema = nullptr;  // the options it was resolved by; they outlive it

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

Change change_from(const std::string& key_equals_value);  // the argument of --set

// The whole config as TOML: running it again is the same experiment.
std::string written(const Config& config);

// Configs that differ in their method alone, as one with several [[method]] tables.
std::string written(const std::vector<Config>& configs);

// Of that, what decides f: seed, precision, problem and clients.
std::string written_problem(const Config& config);

}  // namespace doc2s
