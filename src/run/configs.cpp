// SPDX-License-Identifier: Apache-2.0
#include "doc2s/run/configs.hpp"

#include <filesystem>

#include "data/files.hpp"
#include "known_options.hpp"

namespace doc2s {

std::vector<Config> read_configs(const std::string& path, const Changes& changes) {
  const auto directory = std::filesystem::path(path).parent_path().string();
  return resolved(known_options(), read_whole(path), path, changes, directory);
}

std::vector<Config> parse_configs(const std::string& text, const std::string& name, const Changes& changes) {
  return resolved(known_options(), text, name, changes);
}

Config default_config(const Changes& changes) { return parse_configs("", "", changes).front(); }

}  // namespace doc2s
