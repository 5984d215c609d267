// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <set>

#include "answers.hpp"
#include "base/text.hpp"
#include "commands.hpp"
#include "doc2s/base/error.hpp"
#include "option_json.hpp"
#include "run/known_options.hpp"

namespace doc2s::app {

namespace {

void explain(const KnownOption& known) {
  const Option& option = known.option;
  fmt::print("{}\n  {}\n  {}, {}\n", known.key(), option.help, option.range(),
             option.fallback ? "default: " + to_toml(*option.fallback) : "optional");
  if (const auto& tuned = option.tuned_range)
    fmt::print("  doc2s tune looks from {} to {}{}{}\n", tuned->low, tuned->high,
               tuned->to_one ? ", finer towards 1" : "",
               tuned->where_changed ? ", where the config has another value than the default" : "");
  if (const auto& tuned = option.tuned_zeroth)
    fmt::print("  doc2s tune looks from {} to {} in zeroth order\n", tuned->low, tuned->high);
  for (const auto& [name, value] : known.conditions())
    fmt::print("  counts where {} = \"{}\"\n", name, value);
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
  for (const auto& known : options_named(key)) explain(known);
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
