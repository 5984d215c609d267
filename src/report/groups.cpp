// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "doc2s/algorithms/kinds.hpp"
#include "dumped.hpp"
#include "recorded_run.hpp"

namespace doc2s {

using Json = nlohmann::json;

namespace {

// The common prefix of a group's labels, trimmed: "doc2s seed=1", "doc2s seed=2" give "doc2s".
std::string common_label(const std::vector<RecordedRun>& runs, const RunGroup& group) {
  std::string label = runs[group.runs.front()].label;
  for (const auto k : group.runs) {
    const std::string& other = runs[k].label;
    if (other == label) continue;
    const auto end = std::mismatch(label.begin(), label.end(), other.begin(), other.end()).first;
    label.erase(end, label.end());
    while (!label.empty() && (label.back() & 0xc0) == 0x80) label.pop_back();  // partial UTF-8 character
  }
  const auto without = [&](const std::string& tail) {
    if (label.ends_with(tail)) label.resize(label.size() - tail.size());
  };
  const auto trim = [&] { label.resize(label.find_last_not_of(" ,;:=-_/.(") + 1); };
  if (group.runs.size() > 1 && label != runs[group.runs.front()].label) trim(), without("seed"), trim();
  return label.empty() ? runs[group.runs.front()].label : label;
}

// A label that is only a method's name, or its name and a number, becomes the name that papers write.
std::string titled(const std::string& label) {
  const MethodKind* found = nullptr;  // the longest of the names that it begins with
  for (const MethodKind& kind : method_kinds()) {
    if (kind.title.empty() || !label.starts_with(kind.name)) continue;
    if (!found || kind.name.size() > found->name.size()) found = &kind;
  }
  if (!found) return label;
  const std::string rest = label.substr(found->name.size());
  const bool numbered =
      rest.size() > 1 && rest.front() == '-' && rest.find_first_not_of("0123456789", 1) == rest.npos;
  if (rest.empty()) return found->title;
  return numbered ? found->title + " " + rest.substr(1) : label;
}

using Flat = std::map<std::string, std::string>;

Flat flat_setting(const RecordedRun& run) {
  Flat flat;
  if (run.setting.empty()) return flat;
  const Json setting = Json::parse(run.setting);
  for (const auto& [section, members] : setting.items()) {
    if (!members.is_object() || section == "graph" || section == "split") continue;
    for (const auto& [key, value] : members.items())
      if (key != "label")
        flat[section + "." + key] = value.is_string() ? value.get<std::string>() : dumped(value);
  }
  return flat;
}

std::vector<std::string> parts_of(const Flat& setting, const std::vector<std::string>& keys) {
  std::vector<std::string> parts;
  for (const auto& key : keys) {
    const auto found = setting.find(key);
    const std::string name = key.substr(key.find('.') + 1);
    parts.push_back(found == setting.end() ? "no " + name : name + "=" + found->second);
  }
  return parts;
}

std::size_t kinds_told_apart(const std::vector<Flat>& settings, const std::vector<std::string>& keys) {
  std::set<std::vector<std::string>> kinds;
  for (const auto& setting : settings) kinds.insert(parts_of(setting, keys));
  return kinds.size();
}

// The first keys, the method's before others, that distinguish all settings; if none do, as many as help.
std::vector<std::string> telling_keys(const std::vector<Flat>& settings) {
  std::set<std::pair<bool, std::string>> candidates;  // the method's first
  for (const auto& setting : settings)
    for (const auto& [key, value] : setting) candidates.emplace(!key.starts_with("method."), key);
  std::vector<std::string> keys;
  for (const auto& [other, key] : candidates) {
    const std::size_t before = kinds_told_apart(settings, keys);
    if (before == settings.size()) break;
    keys.push_back(key);
    if (kinds_told_apart(settings, keys) == before) keys.pop_back();
  }
  return keys;
}

// "doc2s" and "doc2s" become "doc2s, eta=0.01" and "doc2s, eta=0.05"; if no setting differs, the directory is
// used.
void tell_apart(const std::vector<RecordedRun>& runs, const std::vector<RunGroup*>& namesakes) {
  std::vector<Flat> settings;
  for (const auto* group : namesakes) settings.push_back(flat_setting(runs[group->runs.front()]));
  const auto keys = telling_keys(settings);
  const bool enough = kinds_told_apart(settings, keys) == settings.size();
  for (std::size_t k = 0; k < namesakes.size(); ++k) {
    for (const auto& part : parts_of(settings[k], keys))
      if (!settings[k].empty()) namesakes[k]->label += ", " + part;
    if (!enough) namesakes[k]->label += " (" + runs[namesakes[k]->runs.front()].directory + ")";
  }
}

}  // namespace

std::vector<RunGroup> group_runs(const std::vector<RecordedRun>& runs) {
  std::vector<RunGroup> groups;
  std::map<std::string, std::size_t> place;  // by `alike`
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const std::string key = runs[k].alike.empty() ? fmt::format("run {}", k) : runs[k].alike;
    const auto [found, is_new] = place.emplace(key, groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].runs.push_back(k);
  }
  std::map<std::string, std::vector<RunGroup*>> by_label;
  for (auto& group : groups) {
    group.label = titled(common_label(runs, group));
    by_label[group.label].push_back(&group);
  }
  for (const auto& [label, namesakes] : by_label)
    if (namesakes.size() > 1) tell_apart(runs, namesakes);
  return groups;
}

}  // namespace doc2s
