// SPDX-License-Identifier: Apache-2.0
#include "flags.hpp"

#include <set>

#include "run/known_options.hpp"

namespace doc2s::app {

namespace {

// Every option of a section becomes one of the command's: --neighbours for network.neighbours.
void add_section_options(CLI::App* command, const std::string& section, Changes& changes) {
  std::set<std::string> seen;
  for (const auto& known : known_options()) {
    const std::string name = known.option.name, flag = "--" + name;
    if (known.section != section || !seen.insert(name).second) continue;
    const auto take = [&changes, key = known.key(), flag](const std::string& value) {
      changes.push_back({key, value, flag + " " + value});
    };
    if (known.option.type == Option::Type::flag)
      command->add_flag_callback(
          flag, [take] { take("true"); }, known.option.help);
    else
      command
          ->add_option_function<std::string>(flag, take,
                                             known.option.help + " (" + known.option.range() + ")")
          ->type_name("");
  }
}

}  // namespace

void add_set(CLI::App* command, std::vector<std::string>& sets) {
  command->add_option("--set", sets, "use this value instead of the file's; may be given again")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_quiet(CLI::App* command, bool& quiet) {
  command->add_flag("--quiet", quiet, "no progress on stderr");
}

void add_change(CLI::App* command, Changes& changes, const std::string& flag, const std::string& key,
                const std::string& help, const std::string& type) {
  const auto take = [&changes, key, flag](const std::string& value) {
    const bool bare = value.starts_with('.');  // .5, which TOML does not know
    changes.push_back({key, bare ? "0" + value : value, flag + " " + value});
  };
  command->add_option_function<std::string>(flag, take, help)->type_name(type);
}

void add_network_options(CLI::App* command, Changes& changes) {
  add_change(command, changes, "--clients", "clients.count", "how many clients", "N");
  add_section_options(command, "network", changes);
  add_change(command, changes, "--seed", "seed", "decides a random graph", "SEED");
}

}  // namespace doc2s::app
