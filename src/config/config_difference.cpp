// SPDX-License-Identifier: Apache-2.0
#include "config_difference.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <map>

#include "schema.hpp"

namespace doc2s {

namespace {

using Values = std::map<std::string, std::string>;  // key → value as TOML

template <class Wanted>
Values values_of(const Config& config, Wanted wanted) {
  Values values;
  for (const std::string& section : section_names())
    for (const auto& [known, value] : values_in_force(config, section))
      if (wanted(known)) values[known.key()] = to_toml(value);
  return values;
}

Values deciding(const Config& config) {
  return values_of(config, [](const KnownOption& known) {
    return known.section != "run" && !known.option.is_path() && !known.option.may_change;
  });
}

std::string lines(const Values& values) {
  std::string all;
  for (const auto& [key, value] : values) all += key + "=" + value + "\n";
  return all;
}

}  // namespace

std::vector<std::string> contradictions(const Config& before, const Config& now) {
  const auto old_values = deciding(before), new_values = deciding(now);
  std::vector<std::string> found;
  for (const auto& [key, value] : old_values)
    if (const auto other = new_values.find(key); other != new_values.end() && other->second != value)
      found.push_back(key + " was " + value + " and is " + other->second);
  return found;
}

std::vector<std::string> differences(const Config& before, const Config& now) {
  const auto old_values = deciding(before), new_values = deciding(now);
  std::vector<std::string> found = contradictions(before, now);
  for (const auto& [key, value] : old_values)
    if (!new_values.contains(key)) found.push_back(key + " was " + value + " and is absent");
  for (const auto& [key, value] : new_values)
    if (!old_values.contains(key)) found.push_back(key + " was absent and is " + value);
  return found;
}

std::uint64_t way_hash(const Config& config) {
  const std::string all = lines(deciding(config));
  return XXH3_64bits(all.data(), all.size());
}

std::string same_on_all_machines(const Config& config) {
  return lines(values_of(config, [](const KnownOption& known) {
    return known.key() != "run.threads" && !(known.section == "problem" && known.option.is_path());
  }));
}

}  // namespace doc2s
