// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/text.hpp"
#include "doc2s/base/error.hpp"
#include "schema.hpp"
#include "toml_entries.hpp"

namespace doc2s {

namespace {

// A hint may name any key of the section; a list, those that count where what selects them is as it is.
[[noreturn]] void refuse_unknown(const Entry& entry, const Schema& schema,
                                 const std::function<bool(const KnownOption&)>& counts) {
  const auto& sections = section_names();
  const auto dot = entry.key.find('.');
  const bool nested = dot != std::string::npos;
  const std::string section = nested ? entry.key.substr(0, dot) : "";
  if (std::find(sections.begin(), sections.end(), section) == sections.end())
    throw Error(fmt::format("unknown section [{}]", section), entry.where,
                suggestion(section, {sections.begin() + 1, sections.end()}));
  std::set<std::string> candidates, counting;
  for (const auto& known : schema) {
    if (nested && known.section != section) continue;
    const std::string one = nested ? known.option.name : known.key();
    candidates.insert(one);
    if (counts(known)) counting.insert(one);
  }
  const std::string name = nested ? entry.key.substr(dot + 1) : entry.key;
  const std::string place = nested ? fmt::format(" in [{}]", section) : "";
  throw Error(fmt::format("unknown key \"{}\"{}", name, place), entry.where,
              suggestion(name, nearest(name, {candidates.begin(), candidates.end()}).empty()
                                   ? std::vector(counting.begin(), counting.end())
                                   : std::vector(candidates.begin(), candidates.end())));
}

// Entries and fallbacks → one config.
class Resolver {
 public:
  Resolver(const Schema& schema, std::vector<Entry> entries, std::string directory)
      : schema_(schema), entries_(std::move(entries)), directory_(std::move(directory)) {
    config_.schema = &schema;
  }

  Config resolve() {
    for (const auto& entry : entries_) require_known(entry);
    settle_all([](const KnownOption& known) { return known.section == "problem"; });  // may tell the clients
    settle_all([](const KnownOption& known) { return known.section != "problem"; });
    for (const auto& entry : entries_) note_if_unused(entry);
    return std::move(config_);
  }

 private:
  void require_known(const Entry& entry) const {
    const bool empty_table = entry.key.ends_with('.');
    for (const auto& known : schema_)
      if (known.key() == entry.key || (empty_table && known.key().starts_with(entry.key))) return;
    check_choices(entry.key.substr(0, entry.key.find('.')));
    refuse_unknown(entry, schema_, [this](const KnownOption& known) { return may_count(known); });
  }

  // By what the user gave, or else the defaults, for the keys that select.
  bool may_count(const KnownOption& known) const {
    return std::ranges::all_of(known.conditions(), [this](const auto& condition) {
      if (const Entry* given = find(condition.first)) return given->value == Value(condition.second);
      return std::ranges::any_of(schema_, [&](const KnownOption& selector) {
        return selector.key() == condition.first && selector.option.fallback == Value(condition.second);
      });
    });
  }

  // A key may be unknown because what it belongs to is, e.g. problem.name: then that is the mistake.
  void check_choices(const std::string& section) const {
    for (const auto& known : schema_)
      if (known.section == section && known.selector.empty() && !known.option.choices.empty())
        if (const Entry* given = find(known.key()))
          known.option.checked(given->value, given->where + ": " + known.key());
  }

  const Entry* find(const std::string& key) const {
    const auto given = std::find_if(entries_.rbegin(), entries_.rend(),
                                    [&](const Entry& entry) { return entry.key == key; });
    return given == entries_.rend() ? nullptr : &*given;
  }

  void settle_all(bool (*is_one)(const KnownOption&)) {
    for (const bool selected : {false, true})   // what selects comes first
      for (const bool derived : {false, true})  // what derives from the others comes last
        for (const auto& known : schema_)
          if (is_one(known) && known.selector.empty() != selected &&
              (known.option.derived != nullptr) == derived && unmet_condition(known, config_).empty())
            settle(known);
  }

  void settle(const KnownOption& known) {
    Settings& section = config_.section(known.section);
    const Option& option = known.option;
    const Entry* const given = find(known.key());
    if (!given) {
      std::optional<Value> value = option.derived ? option.derived(config_) : std::nullopt;
      if (!value) value = option.fallback;
      if (value) section.set(option.name, std::move(*value));
      return;
    }
    if (std::holds_alternative<Texts>(given->value) && option.type == Option::Type::list)
      throw Error(fmt::format("the list \"{}\" holds a value of type string", known.key()), given->where,
                  "a list holds whole numbers, such as [256, 128]");
    const std::string place = given->where == known.key() ? "" : given->where + ": ";
    Value value = option.checked(given->value, place + known.key());
    if (option.is_path()) value = option.find_path(std::get<std::string>(value), directory_);
    section.set(option.name, std::move(value), given->where);
  }

  void note_if_unused(const Entry& entry) {
    std::vector<std::string> unmet;
    for (const auto& known : schema_) {
      if (known.key() != entry.key) continue;
      unmet.push_back(unmet_condition(known, config_));
      if (unmet.back().empty()) return;
    }
    if (!unmet.empty())
      config_.notices.push_back(fmt::format("{}: {} is ignored because it applies only with {}", entry.where,
                                            entry.key, joined(unmet, " or ")));
  }

  const Schema& schema_;
  std::vector<Entry> entries_;
  std::string directory_;
  Config config_;
};

// What the user or one of the method's choices calls it; else its name.
std::string label_of(const Config& config) {
  if (config.method.has("label")) return config.method.text("label");
  for (const auto& [known, value] : values_in_force(config, "method"))
    for (const auto& [choice, label] : known.option.labels)
      if (value == Value(choice)) return label;
  return config.method.text("name");
}

// Every method gets a label, numbered where several have the same.
void label(std::vector<Config>& configs) {
  std::map<std::string, int> times;
  for (auto& config : configs) {
    const std::string name = label_of(config);
    const int time = ++times[name];
    if (time > 1 || !config.method.has("label"))
      config.method.set("label", time == 1 ? name : fmt::format("{}-{}", name, time));
  }
}

// Of a text without entries, from which, with or without changes, something is run all the same.
void note_empty(const std::string& name, bool changed, Config& config) {
  const bool synthetic = config.problem.has("data") && config.problem.text("data") == "synthetic";
  if (changed && !synthetic) return;
  config.notices.push_back(fmt::format("{} is empty, so every {}key has its default{}", name,
                                       changed ? "other " : "", synthetic ? ": the data is synthetic" : ""));
}

constexpr int most_methods = 256;  // each is a whole config in memory

}  // namespace

std::vector<Config> resolved(const Schema& schema, const std::string& text, const std::string& name,
                             const Changes& changes, const std::string& directory) {
  std::vector<Entry> entries = toml_entries(text, name);
  const bool empty = entries.empty();
  for (const auto& change : changes)
    for (auto& entry : change_entries(change)) entries.push_back(std::move(entry));
  int last = 0;
  for (const auto& entry : entries) last = std::max(last, entry.method);
  if (last >= most_methods)
    throw Error(
        fmt::format("there are {} [[method]] tables, and at most {} can be compared", last + 1, most_methods),
        name, "split them into several configs");
  std::vector<Config> configs;
  for (int number = 0; number <= last; ++number) {
    std::vector<Entry> own;
    for (const auto& entry : entries)
      if (entry.method < 0 || entry.method == number) own.push_back(entry);
    configs.push_back(Resolver(schema, std::move(own), directory).resolve());
  }
  if (empty && !name.empty()) note_empty(name, !changes.empty(), configs.front());
  label(configs);
  return configs;
}

}  // namespace doc2s
