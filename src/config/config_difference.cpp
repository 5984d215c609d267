#include "config_difference.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <map>

#include "known_options.hpp"

namespace doc2s {

namespace {

bool may_differ(const KnownOption& known) {
  const std::string key = known.key();
  return known.section == "run" || known.option.is_path || key == "method.label" || key == "method.K" ||
         key == "method.iterations";
}

// key → value as TOML, of all that decides
std::map<std::string, std::string> deciding(const Config& config) {
  std::map<std::string, std::string> values;
  for (const KnownOption& known : known_options()) {
    const Settings& section = config.section(known.section);
    if (!may_differ(known) && section.has(known.option.name))
      values[known.key()] = to_toml(section.value(known.option.name));
  }
  return values;
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
  std::string all;
  for (const auto& [key, value] : deciding(config)) all += key + "=" + value + "\n";
  return XXH3_64bits(all.data(), all.size());
}

}  // namespace doc2s
