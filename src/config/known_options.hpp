#pragma once
#include <string>
#include <vector>

#include "doc2s/config/options.hpp"

namespace doc2s {

// An option with its place in a config, and when it has a meaning.
struct KnownOption {
  std::string section;  // "" is the top of the file
  Option option;
  std::string selector = "";  // e.g. "network.graph": the option counts only where that key …
  std::string selected = "";  // … has this value, e.g. "ring"

  using Condition = std::pair<std::string, std::string>;  // a key and the value it must have
  std::vector<Condition> conditions() const;              // all of them must hold

  std::string key() const { return section.empty() ? option.name : section + "." + option.name; }
};

// The one table of all options: the parser, `doc2s explain` and the written config live on it. A key may
// stand in it more than once, for different selections.
const std::vector<KnownOption>& known_options();

}  // namespace doc2s
