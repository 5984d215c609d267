// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "doc2s/config/config.hpp"

namespace doc2s {

// Reads, checks and resolves a config; the first mistake is thrown as Error with file, line and column. A
// config with several [[method]] tables is one config for each of them, alike in all else.
std::vector<Config> read_configs(const std::string& path, const Changes& changes = {});
std::vector<Config> parse_configs(const std::string& text, const std::string& name,
                                  const Changes& changes = {});

// The fallbacks with these changes: for commands without a config file.
Config default_config(const Changes& changes = {});

}  // namespace doc2s
