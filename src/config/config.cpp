#include "doc2s/config/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>

#include "base/text.hpp"
#include "catalogue/catalogue.hpp"
#include "data/files.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/network/network.hpp"
#include "known_options.hpp"
#include "partition/sites.hpp"
#include "toml_entries.hpp"

namespace doc2s {

namespace {

const std::vector<std::string>& section_names() {
  static const std::vector<std::string> names = {"", "problem", "clients", "network", "method", "run"};
  return names;
}

std::string head(const std::string& key) { return key.substr(0, key.find('.')); }
std::string tail(const std::string& key) { return key.substr(key.find('.') + 1); }

// The first condition of the option that does not hold, e.g. `network.graph = "ring"`; "" where all do.
std::string unmet_condition(const KnownOption& known, const Config& config) {
  for (const auto& [key, value] : known.conditions()) {
    const Settings& section = config.section(head(key));
    if (!section.has(tail(key)) || section.text(tail(key)) != value)
      return fmt::format("{} = \"{}\"", key, value);
  }
  return "";
}

bool in_force(const KnownOption& known, const Config& config) {
  return unmet_condition(known, config).empty();
}

[[noreturn]] void refuse_unknown(const Entry& entry) {
  const bool nested = entry.key.find('.') != std::string::npos;
  const auto& sections = section_names();
  if (nested && std::find(sections.begin(), sections.end(), head(entry.key)) == sections.end())
    throw Error(fmt::format("unknown section [{}]", head(entry.key)), entry.where,
                suggestion(head(entry.key), {sections.begin() + 1, sections.end()}));
  std::set<std::string> candidates;
  for (const auto& known : known_options()) {
    if (!nested) candidates.insert(known.key());
    if (nested && known.section == head(entry.key)) candidates.insert(known.option.name);
  }
  const std::string name = nested ? tail(entry.key) : entry.key;
  const std::string place = nested ? fmt::format(" in [{}]", head(entry.key)) : "";
  throw Error(fmt::format("unknown key \"{}\"{}", name, place), entry.where,
              suggestion(name, {candidates.begin(), candidates.end()}));
}

// A relative path that leads somewhere, from here or from the config's folder, becomes absolute.
Value resolved_path(const Value& value, const std::string& config_directory) {
  namespace fs = std::filesystem;
  const auto& text = std::get<std::string>(value);
  const auto& names = catalogue();
  if (std::any_of(names.begin(), names.end(), [&](const DataSet& set) { return set.name == text; }))
    return value;
  for (const fs::path& candidate : {fs::path(text), fs::path(config_directory) / text}) {
    std::error_code error;
    if (fs::exists(candidate, error) || (is_site_pattern(text) && some_site_exists(candidate.string())))
      return fs::absolute(candidate).lexically_normal().string();
  }
  return value;
}

class Resolver {
 public:
  Resolver(std::vector<Entry> entries, std::string directory)
      : entries_(std::move(entries)), directory_(std::move(directory)) {}

  Config resolve() {
    for (const auto& entry : entries_) require_known(entry);
    for (const auto& known : known_options())
      if (known.selector.empty()) settle(known);
    settle_graph(config_.network, static_cast<int>(config_.clients.integer("count")));
    for (const auto& known : known_options())
      if (!known.selector.empty() && in_force(known, config_)) settle(known);
    for (const auto& entry : entries_) note_if_unused(entry);
    return std::move(config_);
  }

 private:
  void require_known(const Entry& entry) const {
    const bool empty_table = entry.key.ends_with('.');
    for (const auto& known : known_options())
      if (known.key() == entry.key || (empty_table && known.key().starts_with(entry.key))) return;
    refuse_unknown(entry);
  }

  void settle(const KnownOption& known) {
    Settings& section = config_.section(known.section);
    const auto given = std::find_if(entries_.rbegin(), entries_.rend(),
                                    [&](const Entry& entry) { return entry.key == known.key(); });
    if (given == entries_.rend()) {
      if (known.option.fallback) section.set(known.option.name, *known.option.fallback);
      return;
    }
    Value value = known.option.checked(given->value, given->where + ": " + known.key());
    if (known.option.is_path) value = resolved_path(value, directory_);
    section.set(known.option.name, std::move(value), given->where);
  }

  void note_if_unused(const Entry& entry) {
    std::vector<std::string> unmet;
    for (const auto& known : known_options()) {
      if (known.key() != entry.key) continue;
      unmet.push_back(unmet_condition(known, config_));
      if (unmet.back().empty()) return;
    }
    if (!unmet.empty())
      config_.notices.push_back(fmt::format("{}: {} is left aside, for it has a meaning only with {}",
                                            entry.where, entry.key, joined(unmet, " or ")));
  }

  std::vector<Entry> entries_;
  std::string directory_;
  Config config_;
};

// Every method gets a label: its name, numbered where several have the same.
void label(std::vector<Config>& configs) {
  std::map<std::string, int> times;
  for (auto& config : configs) {
    const std::string name = config.method.text(config.method.has("label") ? "label" : "name");
    const int time = ++times[name];
    if (time > 1 || !config.method.has("label"))
      config.method.set("label", time == 1 ? name : fmt::format("{}-{}", name, time));
  }
}

constexpr int most_methods = 256;  // each is a whole config in memory

// One config for each [[method]] table, or one where there is none.
std::vector<Config> resolve(std::vector<Entry> entries, const std::string& name, const Changes& changes,
                            const std::string& directory) {
  for (const auto& change : changes)
    for (auto& entry : change_entries(change)) entries.push_back(std::move(entry));
  int last = 0;
  for (const auto& entry : entries) last = std::max(last, entry.method);
  if (last >= most_methods)
    throw Error(
        fmt::format("there are {} [[method]] tables, and at most {} can be compared", last + 1, most_methods),
        name, "share them out over several configs");
  std::vector<Config> configs;
  for (int number = 0; number <= last; ++number) {
    std::vector<Entry> own;
    for (const auto& entry : entries)
      if (entry.method < 0 || entry.method == number) own.push_back(entry);
    configs.push_back(Resolver(std::move(own), directory).resolve());
  }
  label(configs);
  return configs;
}

}  // namespace

namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

Change change_from(const std::string& words) {
  const auto equals = words.find('=');
  const std::string where = "--set " + words;
  if (equals == std::string::npos || equals == 0)
    throw Error("is not of the form key=value", where, "for example --set method.eta=0.005");
  return {trimmed(words.substr(0, equals)), trimmed(words.substr(equals + 1)), where};
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

std::vector<Config> read_configs(const std::string& path, const Changes& changes) {
  const auto directory = std::filesystem::path(path).parent_path().string();
  return resolve(toml_entries(read_whole(path), path), path, changes, directory);
}

std::vector<Config> parse_configs(const std::string& text, const std::string& name, const Changes& changes) {
  return resolve(toml_entries(text, name), name, changes, "");
}

Config default_config(const Changes& changes) { return resolve({}, "", changes, "").front(); }

namespace {

std::string written_sections(const Config& config, const std::vector<std::string>& sections) {
  std::string text;
  for (const auto& section : sections) {
    if (!section.empty()) text += fmt::format("\n[{}]\n", section);
    for (const auto& known : known_options()) {
      const Settings& settings = config.section(known.section);
      if (known.section != section || !settings.has(known.option.name) || !in_force(known, config)) continue;
      const std::string line = known.option.name + " = " + to_toml(settings.value(known.option.name));
      text += fmt::format("{:<40}  # {}\n", line, known.option.help);
    }
  }
  return text;
}

}  // namespace

std::string written(const Config& config) {
  return "# Every value in force; running this file again gives the same bits.\n" +
         written_sections(config, section_names());
}

std::string written_problem(const Config& config) {
  return written_sections(config, {"", "problem", "clients"});
}

}  // namespace doc2s
