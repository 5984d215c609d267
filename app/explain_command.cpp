// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "answers.hpp"
#include "base/text.hpp"
#include "commands.hpp"
#include "doc2s/base/error.hpp"
#include "option_json.hpp"
#include "run/known_options.hpp"

namespace doc2s::app {

namespace {

std::string said_of(const KnownOption& known) {
  const Option& option = known.option;
  std::string text = fmt::format("{}\n  {}\n  {}", known.key(), option.help, option.range());
  if (!option.fallback)
    text += ", optional";
  else if (option.help.find("default: ") == option.help.npos)
    text += ", default: " + to_toml(*option.fallback);
  text += "\n";
  if (const auto& tuned = option.tuned_range)
    text += fmt::format("  doc2s tune looks from {} to {}{}{}\n", tuned->low, tuned->high,
                        tuned->to_one ? ", finer towards 1" : "",
                        tuned->where_changed ? ", where the config has another value than the default" : "");
  if (const auto& tuned = option.tuned_zeroth)
    text += fmt::format("  doc2s tune looks from {} to {} in zeroth order\n", tuned->low, tuned->high);
  return text;
}

// Where it counts: `method.name = "doc2s" or "token"`, a line for each key.
std::string conditions_of(const std::vector<KnownOption>& alike) {
  std::map<std::string, std::vector<std::string>> values;
  for (const KnownOption& known : alike)
    for (const auto& [name, value] : known.conditions()) {
      auto& those = values[name];
      if (std::ranges::find(those, value) == those.end()) those.push_back(value);
    }
  std::string text;
  for (const auto& [name, those] : values)
    text += fmt::format("  counts where {} = \"{}\"\n", name, fmt::join(those, "\" or \""));
  return text;
}

// Options of several kinds that say the same are one.
void explain(const std::vector<KnownOption>& all) {
  std::vector<std::pair<std::string, std::vector<KnownOption>>> blocks;
  for (const KnownOption& known : all) {
    const std::string said = said_of(known);
    auto block = std::ranges::find(blocks, said, [](const auto& one) { return one.first; });
    if (block == blocks.end()) block = blocks.insert(blocks.end(), {said, {}});
    block->second.push_back(known);
  }
  for (const auto& [said, alike] : blocks) fmt::print("{}{}", said, conditions_of(alike));
}

// By its key, its name alone, or a section or table that it stands in.
bool named(const KnownOption& known, const std::string& word) {
  const std::string inside = "." + known.key();
  return known.key() == word || known.option.name == word ||
         inside.find("." + word + ".") != std::string::npos;
}

std::string three_nearest(const std::string& word, const std::set<std::string>& names) {
  const auto near = nearest_three(word, {names.begin(), names.end()});
  return fmt::format("did you mean \"{}\", \"{}\" or \"{}\"?", near.at(0), near.at(1), near.at(2));
}

std::vector<KnownOption> options_named(const std::string& key) {
  std::set<std::string> names;
  std::vector<KnownOption> found;
  for (const auto& known : known_options()) {
    names.insert(key.find('.') == std::string::npos ? known.option.name : known.key());
    if (key.empty() || named(known, key)) found.push_back(known);
  }
  if (found.empty())
    throw Error(fmt::format("there is no key \"{}\"", key), "explain", three_nearest(key, names));
  return found;
}

int explain_command(const std::string& key) {
  explain(options_named(key));
  return 0;
}

}  // namespace

nlohmann::ordered_json option_json(const Option& option) {
  static const char* const types[] = {"integer", "real", "flag", "text", "list", "texts"};
  nlohmann::ordered_json fallback;
  if (option.fallback) std::visit([&](const auto& value) { fallback = value; }, *option.fallback);
  return {{"name", option.name},       {"type", types[static_cast<int>(option.type)]},
          {"fallback", fallback},      {"range", option.range()},
          {"choices", option.choices}, {"help", option.help}};
}

std::string explain_answer(const std::string& key) {
  auto array = nlohmann::ordered_json::array();
  for (const auto& known : options_named(key)) {
    array.push_back(option_json(known.option));
    array.back()["key"] = known.key();
    for (const auto& [name, value] : known.conditions()) array.back()["where"][name] = value;
  }
  return array.dump(1);
}

void add_explain(CLI::App& program, Action& action) {
  auto key = std::make_shared<std::string>();
  CLI::App* command = program.add_subcommand("explain", "explain a key of the config, or all of them");
  command->footer("Example:\n  doc2s explain method.eta");
  command->add_option("key", *key, "e.g. method.eta, or eta");
  command->callback([=, &action] { action = [=] { return explain_command(*key); }; });
}

}  // namespace doc2s::app
