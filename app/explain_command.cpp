#include <fmt/format.h>

#include <set>

#include "base/text.hpp"
#include "commands.hpp"
#include "doc2s/base/error.hpp"
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
  for (const auto& [name, value] : known.conditions())
    fmt::print("  counts where {} = \"{}\"\n", name, value);
}

// By its key, its name alone, or a section or table that it stands in.
bool named(const KnownOption& known, const std::string& word) {
  const std::string inside = "." + known.key();
  return known.key() == word || known.option.name == word ||
         inside.find("." + word + ".") != std::string::npos;
}

int explain_command(const std::string& key) {
  std::set<std::string> keys;
  bool found = false;
  for (const auto& known : known_options()) {
    keys.insert(known.key());
    if (!key.empty() && !named(known, key)) continue;
    explain(known);
    found = true;
  }
  if (!found)
    throw Error(fmt::format("there is no key \"{}\"", key), "explain",
                suggestion(key, {keys.begin(), keys.end()}));
  return 0;
}

}  // namespace

void add_explain(CLI::App& program, Action& action) {
  auto key = std::make_shared<std::string>();
  CLI::App* command = program.add_subcommand("explain", "explain a key of the config, or all of them");
  command->footer("Example:\n  doc2s explain method.eta");
  command->add_option("key", *key, "e.g. method.eta, or eta");
  command->callback([=, &action] { action = [=] { return explain_command(*key); }; });
}

}  // namespace doc2s::app
