// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "doc2s/config/config.hpp"

namespace doc2s {

// An option with its place in a config, and when it has a meaning.
struct KnownOption {
  std::string section;  // "" is the top of the file
  Option option;
  std::string selector = "";  // e.g. "network.graph": the option counts only where that key …
  std::string selected = "";  // … has this value, e.g. "ring", …
  std::string lists = "";     // … or where this one lists it, e.g. "network.graphs"

  using Condition = std::pair<std::string, std::string>;  // a key and the value it must have
  std::vector<Condition> conditions() const;              // all of them must hold

  std::string key() const { return section.empty() ? option.name : section + "." + option.name; }
};

// All options. A key may stand in it more than once, for different selections.
using Schema = std::vector<KnownOption>;

// One config for each [[method]] table of a TOML text, or one where there is none. `name` is for messages;
// relative paths are also looked for in `directory`.
std::vector<Config> resolved(const Schema& schema, const std::string& text, const std::string& name,
                             const Changes& changes, const std::string& directory = "");

// The first condition of the option that does not hold, e.g. `network.graph = "ring"`; "" where all do.
std::string unmet_condition(const KnownOption& known, const Config& config);

const std::vector<std::string>& section_names();

struct ValueInForce {
  const KnownOption& known;
  const Value& value;
};
std::vector<ValueInForce> values_in_force(const Config& config, const std::string& section);

}  // namespace doc2s
