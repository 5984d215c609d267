// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include "aside.hpp"
#include "base/text.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/check.hpp"
#include "catalogue/fetch.hpp"
#include "commands.hpp"
#include "doc2s/base/error.hpp"
#include "flags.hpp"
#include "progress.hpp"

namespace doc2s::app {

namespace {

const DataSet& named_set(const std::string& name) {
  if (const DataSet* set = data_set_named(name)) return *set;
  std::vector<std::string> names;
  for (const auto& set : catalogue()) names.push_back(set.name);
  throw Error(fmt::format("there is no data set \"{}\"", name), "", suggestion(name, names));
}

std::size_t upstream_files(const DataSet& set) {
  std::size_t count = 0;
  for (const auto& file : set.files) count += !file.stand_in();
  return count;
}

// "complete", "2 of 6 files", "not installed", and where.
std::string whereabouts(const DataSet& set, const FoundSet& found) {
  if (set.built_in()) return "built in";
  if (found.files.empty()) return fmt::format("not installed; try `doc2s data get {}`", set.name);
  if (found.complete) return "complete, in " + found.directory;
  std::size_t upstream = 0;
  std::vector<std::string> stand_ins;
  for (const auto& here : found.files)
    if (here.file->stand_in())
      stand_ins.push_back(here.file->name);
    else
      ++upstream;
  std::string text = fmt::format("partly, {} of {} files", upstream, upstream_files(set));
  if (!stand_ins.empty()) text += ", and in their place " + joined(stand_ins);
  return text + ", in " + found.directory;
}

std::string sources(const DataSet& set) {
  std::string text = set.page;
  if (!set.debian_package.empty()) text += "; Debian: " + set.debian_package;
  if (!set.npm_package.empty()) text += "; npm: " + set.npm_package;
  return text;
}

int list_data() {
  for (const auto& set : catalogue()) {
    fmt::print("{:<14} {}\n", set.name, whereabouts(set, set.built_in() ? FoundSet{} : find_set(set)));
    fmt::print("{:<14} {}\n", "", set.summary);
    if (!set.page.empty()) fmt::print("{:<14} from {}\n", "", sources(set));
    if (!set.terms.empty()) fmt::print("{:<14} terms: {}\n", "", set.terms);
  }
  return 0;
}

void print_checked(const CheckedFile& file) {
  using Verdict = CheckedFile::Verdict;
  const auto& [known, path, archived] = file.found;
  const std::string place = archived ? path + ":" + known->name : path;
  if (file.verdict() == Verdict::right) fmt::print("right    {}  {}\n", file.sha256, place);
  if (file.verdict() == Verdict::wrong) fmt::print("WRONG    {}: {}\n", place, file.problem);
  if (file.verdict() == Verdict::unknown)
    fmt::print("unknown  {}  {}  (no published sum to compare with; its length is right)\n", file.sha256,
               place);
}

int check_data(const DataSet& set, bool quiet) {
  if (set.built_in()) {
    fmt::print("{} is made from the seed: there is no file to check\n", set.name);
    return 0;
  }
  const FoundSet found = find_set(set);
  if (found.files.empty()) throw_not_found(set);
  const CheckedFile* wrong = nullptr;
  const auto files = shown_work("checking the files", quiet, [&] { return check_files(found); });
  for (const auto& file : files) {
    print_checked(file);
    if (file.verdict() == CheckedFile::Verdict::wrong && !wrong) wrong = &file;
  }
  std::fflush(stdout);
  if (wrong)
    throw Error(wrong->found.file->name + " is not the published file: " + wrong->problem, wrong->found.path,
                fmt::format("remove it and fetch it with `doc2s data get {}`", set.name));
  if (!found.complete) fmt::print("{} is installed {}\n", set.name, whereabouts(set, found));
  return 0;
}

int get_data(const DataSet& set, const std::string& to, bool quiet) {
  if (set.built_in()) {
    fmt::print("{} is made from the seed: there is nothing to get\n", set.name);
    return 0;
  }
  const auto say = [](const std::string& news) { aside("doc2s: {}\n", news); };
  const Fetched fetched = fetch({set, to, say, !quiet && isatty(STDERR_FILENO) == 1});
  fmt::print("{} is {}installed: {}\n", set.name, fetched.was_here ? "already " : "",
             fetched.found.directory);
  if (!set.terms.empty()) fmt::print("terms: {}\n", set.terms);
  return 0;
}

}  // namespace

void add_data(CLI::App& program, Action& action) {
  auto name = std::make_shared<std::string>(), to = std::make_shared<std::string>();
  auto quiet = std::make_shared<bool>(false);
  CLI::App* command = program.add_subcommand("data", "see, fetch and check the data sets");
  command->footer("Example:\n  doc2s data list\n  doc2s data get mnist\n  doc2s data check mnist");
  command->require_subcommand(1);
  const auto add = [&](const std::string& verb, const std::string& help, Action carry_out) {
    CLI::App* part = command->add_subcommand(verb, help);
    part->footer("Example:\n  doc2s data " + verb + (verb == "list" ? "" : " mnist"));
    if (verb != "list") part->add_option("name", *name, "the data set; see doc2s data list")->required();
    if (verb == "get")
      part->add_option("--to", *to, "the folder that gets NAME/; default: the first of $DOC2S_DATA")
          ->type_name("DIR");
    if (verb != "list") add_quiet(part, *quiet);
    part->callback([=, &action] { action = carry_out; });
  };
  add("list", "what is installed, where, and under which terms", [] { return list_data(); });
  add("get", "fetch a data set by what this machine reaches",
      [=] { return get_data(named_set(*name), *to, *quiet); });
  add("check", "compare the files with their published SHA-256",
      [=] { return check_data(named_set(*name), *quiet); });
}

}  // namespace doc2s::app
