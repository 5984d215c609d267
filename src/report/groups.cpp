#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "doc2s/report/recorded_run.hpp"

namespace doc2s {

using nlohmann::json;

namespace {

// What the labels of a group begin with alike, without a loose end: "doc2s seed=1", "doc2s seed=2" give
// "doc2s".
std::string common_label(const std::vector<RecordedRun>& runs, const RunGroup& group) {
  std::string label = runs[group.runs.front()].label;
  for (const auto k : group.runs) {
    const std::string& other = runs[k].label;
    if (other == label) continue;
    const auto end = std::mismatch(label.begin(), label.end(), other.begin(), other.end()).first;
    label.erase(end, label.end());
    while (!label.empty() && (label.back() & 0xc0) == 0x80) label.pop_back();  // half a letter of UTF-8
  }
  const auto without = [&](const std::string& tail) {
    if (label.ends_with(tail)) label.resize(label.size() - tail.size());
  };
  const auto trim = [&] { label.resize(label.find_last_not_of(" ,;:=-_/.(") + 1); };
  if (group.runs.size() > 1 && label != runs[group.runs.front()].label) trim(), without("seed"), trim();
  return label.empty() ? runs[group.runs.front()].label : label;
}

std::map<std::string, std::string> flat_setting(const RecordedRun& run) {
  std::map<std::string, std::string> flat;
  if (run.setting.empty()) return flat;
  for (const auto& [section, members] : json::parse(run.setting).items()) {
    if (!members.is_object() || section == "graph" || section == "split") continue;
    for (const auto& [key, value] : members.items())
      flat[key] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  return flat;
}

// "doc2s" and "doc2s" become "doc2s, eta=0.01" and "doc2s, eta=0.05"; where no setting tells them apart, by
// directory.
void tell_apart(const std::vector<RecordedRun>& runs, const std::vector<RunGroup*>& namesakes) {
  constexpr std::size_t most_keys = 3;
  std::map<std::string, std::map<std::string, int>> values;  // key → value → how often
  for (const auto* group : namesakes)
    for (const auto& [key, value] : flat_setting(runs[group->runs.front()])) ++values[key][value];
  for (auto* group : namesakes) {
    const RecordedRun& run = runs[group->runs.front()];
    std::string more;
    std::size_t keys = 0;
    for (const auto& [key, value] : flat_setting(run))
      if (values[key].size() > 1 && ++keys <= most_keys) more += fmt::format(", {}={}", key, value);
    group->label += keys > 0 && keys <= most_keys ? more : fmt::format(" ({})", run.directory);
  }
}

}  // namespace

std::vector<RunGroup> group_runs(const std::vector<RecordedRun>& runs) {
  std::vector<RunGroup> groups;
  std::map<std::string, std::size_t> place;  // by what is alike
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const std::string key = runs[k].alike.empty() ? fmt::format("run {}", k) : runs[k].alike;
    const auto [found, is_new] = place.emplace(key, groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].runs.push_back(k);
  }
  std::map<std::string, std::vector<RunGroup*>> by_label;
  for (auto& group : groups) {
    group.label = common_label(runs, group);
    by_label[group.label].push_back(&group);
  }
  for (const auto& [label, namesakes] : by_label)
    if (namesakes.size() > 1) tell_apart(runs, namesakes);
  return groups;
}

}  // namespace doc2s
