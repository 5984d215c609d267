// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "doc2s/config/config.hpp"

// Flags that several commands have.
namespace doc2s::app {

// --set KEY=VALUE, as often as wanted
void add_set(CLI::App* command, std::vector<std::string>& sets);

void add_quiet(CLI::App* command, bool& quiet);  // --quiet: no progress on stderr

// A flag that stands for one key of a config.
void add_change(CLI::App* command, Changes& changes, const std::string& flag, const std::string& key,
                const std::string& help, const std::string& type);

// --clients, --seed and every option of the section [network]
void add_network_options(CLI::App* command, Changes& changes);

}  // namespace doc2s::app
