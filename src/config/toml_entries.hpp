// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "doc2s/config/config.hpp"
#include "doc2s/config/options.hpp"

namespace doc2s {

// A value as it stands in a config: its dotted key and its place.
struct Entry {
  std::string key;
  Value value;
  std::string where;
  int method = -1;  // which of several [[method]] tables it stands in; −1: in none
};

// All values of a TOML text, tables flattened; a table without values is an entry with a key that ends in
// ".". Throws Error with name:line:column where it is not TOML.
std::vector<Entry> toml_entries(const std::string& text, const std::string& name);

// A change's values (an inline table has several); what is not TOML is a text.
std::vector<Entry> change_entries(const Change& change);

}  // namespace doc2s
