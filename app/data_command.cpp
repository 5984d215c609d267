// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/program.hpp"
#include "base/text.hpp"
#include "catalogue/catalogue.hpp"
#include "commands.hpp"
#include "doc2s/base/error.hpp"
#include "flags.hpp"

namespace fs = std::filesystem;

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

// Beside the program in a build, under share/doc2s where it is installed.
std::string script_path() {
  std::error_code unknown;
  const fs::path folder = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  const fs::path ours = folder / "lab/data.py", installed = folder / DOC2S_SHARE_FROM_PROGRAM / "data.py";
  if (fs::exists(ours, unknown)) return ours.string();
  if (fs::exists(installed, unknown)) return installed.string();
  throw MachineError(fmt::format("a part of doc2s is missing: there is neither {} nor {}", ours.string(),
                                 installed.lexically_normal().string()),
                     "", "use the doc2s of a checkout or a package");
}

// Becomes lab/data.py, which knows what the words are.
[[noreturn]] void become_script(const std::string& verb, const DataSet& set,
                                const std::vector<FoundFile>& files, nlohmann::json request,
                                const std::vector<std::string>& paths) {
  request.update({{"name", set.name},
                  {"archive", set.archive},
                  {"archive_folder", set.archive_folder},
                  {"pictures", set.form == DataSet::Form::cifar10},
                  {"page", set.page},
                  {"links", set.links},
                  {"debian", set.debian_package},
                  {"npm", set.npm_package},
                  {"terms", set.terms}});
  for (const auto& [file, path, archived] : files)
    request["files"].push_back({{"name", file->name},
                                {"bytes", file->bytes},
                                {"records", file->records},
                                {"sha256", file->sha256},
                                {"archived", archived}});
  const std::string told = request.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::vector<std::string> words{"python3", "-B", script_path(), verb, told};
  words.insert(words.end(), paths.begin(), paths.end());
  std::fflush(stdout);
  for (const char* python : {"/usr/bin/python3", "python3"}) execvp(python, argument_pointers(words).data());
  throw MachineError(fmt::format("`doc2s data {}` needs python3, which is not installed", verb), "",
                     "install Debian's package python3");
}

int check_data(const DataSet& set) {
  if (set.built_in()) {
    fmt::print("{} is made from the seed: there is no file to check\n", set.name);
    return 0;
  }
  const FoundSet found = find_set(set);
  if (found.files.empty()) throw_not_found(set);
  std::vector<std::string> paths;
  for (const auto& here : found.files) paths.push_back(here.path);
  become_script("check", set, found.files, {{"whereabouts", found.complete ? "" : whereabouts(set, found)}},
                paths);
}

int get_data(const DataSet& set, const std::string& to, bool quiet) {
  if (set.built_in()) {
    fmt::print("{} is made from the seed: there is nothing to get\n", set.name);
    return 0;
  }
  std::vector<std::string> folders = data_directories();
  folders.pop_back();  // Debian's
  if (!to.empty()) folders = {fs::absolute(to).string()};
  const FoundSet found = to.empty() ? find_set(set) : find_set_in(folders[0] + "/" + set.name, set);
  if (found.complete) {
    fmt::print("{} is already installed: {}\nterms: {}\n", set.name, found.directory, set.terms);
    return 0;
  }
  std::vector<FoundFile> upstream;
  for (const auto& file : set.files)
    if (!file.stand_in()) upstream.push_back({&file, ""});
  become_script("get", set, upstream,
                {{"to", !to.empty()}, {"progress", !quiet && isatty(STDERR_FILENO) == 1}}, folders);
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
      [=] { return check_data(named_set(*name)); });
}

}  // namespace doc2s::app
