// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "config/schema.hpp"

namespace doc2s {

// "method.eta=0.001..1"
struct AskedRange {
  std::string key;
  double low, high;
  std::string where;  // for messages
};
AskedRange asked_range(const std::string& text);

// Throws Error where one of the ranges can be of none of the configs.
void check_asked(const std::vector<Config>& configs, const std::vector<std::string>& fixed,
                 const std::vector<AskedRange>& asked);

// The options of this key that count in the config: one or none.
std::vector<const KnownOption*> options_in_force(const Config& config, const std::string& key);

}  // namespace doc2s
