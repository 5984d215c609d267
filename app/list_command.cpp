// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "answers.hpp"
#include "base/text.hpp"
#include "catalogue/catalogue.hpp"
#include "commands.hpp"
#include "doc2s/algorithms/kinds.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/network/network.hpp"
#include "doc2s/run/record.hpp"
#include "option_json.hpp"
#include "problems/kinds.hpp"

namespace doc2s::app {

namespace {

using Json = nlohmann::ordered_json;

struct Entry : Kind {
  std::optional<std::string>
      place{};  // of a data set's files, "" where they are not found; absent for what has none
  std::string guarantee{}, spends{};  // of a method
};

template <class Kinds>
std::vector<Entry> entries_of(const Kinds& kinds) {
  std::vector<Entry> entries;
  for (const Kind& kind : kinds) entries.push_back({kind});
  return entries;
}

std::vector<Entry> methods() {
  std::vector<Entry> entries;
  for (const MethodKind& method : method_kinds()) {
    const Kind& kind = method;
    entries.push_back({kind, std::nullopt, method.guarantee, method.spends});
  }
  return entries;
}

std::vector<Entry> data_sets() {
  std::vector<Entry> entries;
  for (const auto& set : catalogue()) {
    entries.push_back({{set.name, set.summary, {}}});
    if (set.built_in()) continue;
    const FoundSet found = find_set(set);
    entries.back().place = found.files.empty() ? "" : found.files.front().path;
  }
  return entries;
}

std::vector<Entry> measures() {
  std::vector<Entry> entries;
  for (const Quantity& one : quantities()) entries.push_back({{one.name, one.meaning, {}}});
  return entries;
}

const std::vector<std::pair<std::string, std::vector<Entry> (*)()>>& topics() {
  static const std::vector<std::pair<std::string, std::vector<Entry> (*)()>> all = {
      {"methods", methods},
      {"problems", [] { return entries_of(problem_kinds()); }},
      {"graphs", [] { return entries_of(graph_kinds()); }},
      {"weights", [] { return entries_of(weights_kinds()); }},
      {"datasets", data_sets},
      {"measures", measures}};
  return all;
}

void print(const Entry& entry, std::size_t width) {
  std::string aside;
  for (const auto& option : entry.options) aside += (aside.empty() ? "  [" : ", ") + option.name;
  if (!aside.empty()) aside += "]";
  if (entry.place) aside = "  (" + (entry.place->empty() ? "not found here" : *entry.place) + ")";
  const std::string words =
      entry.guarantee.empty() ? "" : fmt::format("; guarantee: {}; spends {}", entry.guarantee, entry.spends);
  fmt::print("{:<{}} {}{}{}\n", entry.name, width, entry.summary, words, aside);
}

// `orders` are the choices of the option `order`, which methods have; `place` is where a data set was found,
// or null.
Json as_json(const Entry& entry) {
  Json object = {{"name", entry.name}, {"summary", entry.summary}};
  if (entry.place) object["place"] = entry.place->empty() ? Json() : Json(*entry.place);
  if (!entry.guarantee.empty()) object["guarantee"] = entry.guarantee, object["spends"] = entry.spends;
  for (const auto& option : entry.options)
    if (option.name == "order") object["orders"] = option.choices;
  object["options"] = Json::array();
  for (const auto& option : entry.options) object["options"].push_back(option_json(option));
  return object;
}

std::vector<std::string> list_topics() {
  std::vector<std::string> names;
  for (const auto& [name, entries] : topics()) names.push_back(name);
  return names;
}

std::vector<Entry> entries_in(const std::string& topic) {
  const auto found =
      std::find_if(topics().begin(), topics().end(), [&](const auto& t) { return t.first == topic; });
  if (found == topics().end())
    throw Error(fmt::format("there is no list of \"{}\"", topic), "list", suggestion(topic, list_topics()));
  return found->second();
}

std::size_t width_of(const std::vector<Entry>& entries) {
  std::size_t width = 16;
  for (const Entry& entry : entries) width = std::max(width, entry.name.size());
  return width;
}

int list_command(const std::string& topic, bool json) {
  if (json)
    fmt::print("{}\n", list_answer(topic));
  else
    for (const std::vector<Entry> entries = entries_in(topic); const Entry& entry : entries)
      print(entry, width_of(entries));
  return 0;
}

}  // namespace

std::string list_answer(const std::string& topic) {
  Json array = Json::array();
  for (const Entry& entry : entries_in(topic)) array.push_back(as_json(entry));
  return array.dump(1);
}

void add_list(CLI::App& program, Action& action) {
  auto topic = std::make_shared<std::string>();
  auto json = std::make_shared<bool>();
  CLI::App* command =
      program.add_subcommand("list", "list what can be named in a config, and what is measured");
  command->footer("Example:\n  doc2s list graphs\n  doc2s list methods --json");
  command->add_option("topic", *topic, joined(list_topics(), ", "))->required();
  command->add_flag("--json", *json, "one JSON array, with type, range and help of every option");
  command->callback([=, &action] { action = [=] { return list_command(*topic, *json); }; });
}

}  // namespace doc2s::app
