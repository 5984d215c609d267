// SPDX-License-Identifier: Apache-2.0
#include "doc2s/config/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "schema.hpp"

namespace doc2s {

Change change_from(const std::string& argument) {
  const auto equals = argument.find('=');
  const std::string where = "--set " + argument;
  if (equals == std::string::npos || equals == 0)
    throw Error("is not of the form key=value", where, "for example --set method.eta=0.005");
  return {trimmed(argument.substr(0, equals)), trimmed(argument.substr(equals + 1)), where};
}

Settings& Config::section(const std::string& name) {
  if (name == "problem") return problem;
  if (name == "clients") return clients;
  if (name == "network") return network;
  if (name == "method") return method;
  if (name == "run") return run;
  if (!name.empty()) throw std::logic_error("no section " + name);
  return general;
}

const Settings& Config::section(const std::string& name) const {
  return const_cast<Config*>(this)->section(name);
}

const std::vector<std::string>& section_names() {
  static const std::vector<std::string> names = {"", "problem", "clients", "network", "method", "run"};
  return names;
}

std::vector<KnownOption::Condition> KnownOption::conditions() const {
  std::vector<Condition> all;
  if (!selector.empty()) all.emplace_back(selector, selected);
  if (!option.needs.empty()) all.emplace_back(section + "." + option.needs, option.needed);
  return all;
}

namespace {

// Whether the value of the key is this one, or has it among several.
bool is_named(const Config& config, const std::string& key, const std::string& value) {
  const auto dot = key.find('.');
  if (dot == std::string::npos) return false;
  const Settings& section = config.section(key.substr(0, dot));
  const std::string name = key.substr(dot + 1);
  if (!section.has(name)) return false;
  if (section.text(name) == value) return true;
  const auto names = names_in(section.text(name));
  return std::ranges::find(names, value) != names.end();
}

}  // namespace

std::string unmet_condition(const KnownOption& known, const Config& config) {
  for (const auto& [key, value] : known.conditions()) {
    const bool listed = key == known.selector && is_named(config, known.lists, value);
    if (!listed && !is_named(config, key, value)) return fmt::format("{} = \"{}\"", key, value);
  }
  return "";
}

std::vector<ValueInForce> values_in_force(const Config& config, const std::string& section) {
  const Settings& settings = config.section(section);
  std::vector<ValueInForce> values;
  const auto is_there = [&](const std::string& name) {  // several graphs may have it
    return std::ranges::any_of(values, [&](const auto& value) { return value.known.option.name == name; });
  };
  for (const KnownOption& known : *config.schema)
    if (known.section == section && settings.has(known.option.name) &&
        unmet_condition(known, config).empty() && !is_there(known.option.name))
      values.push_back({known, settings.value(known.option.name)});
  return values;
}

namespace {

std::string written_values(const Config& config, const std::string& section) {
  std::string text;
  for (const auto& [known, value] : values_in_force(config, section))
    text += fmt::format("{:<40}  # {}\n", known.option.name + " = " + to_toml(value), known.option.help);
  return text;
}

std::string written_sections(const Config& config, const std::vector<std::string>& sections) {
  std::string text;
  for (const auto& section : sections)
    text += (section.empty() ? "" : fmt::format("\n[{}]\n", section)) + written_values(config, section);
  return text;
}

constexpr const char* written_head =
    "# Every value in force; this config on the same data gives the same bits again.\n";

}  // namespace

std::string written(const Config& config) { return written_head + written_sections(config, section_names()); }

std::string written(const std::vector<Config>& configs) {
  if (configs.size() == 1) return written(configs.front());
  std::string text =
      written_head + written_sections(configs.front(), {"", "problem", "clients", "network", "run"});
  for (const Config& config : configs) text += "\n[[method]]\n" + written_values(config, "method");
  return text;
}

std::string written_problem(const Config& config) {
  return written_sections(config, {"", "problem", "clients"});
}

}  // namespace doc2s
