// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "doc2s/base/error.hpp"
#include "fetch_parts.hpp"

namespace fs = std::filesystem;

namespace doc2s {

namespace {

constexpr const char* debian_directory = "/usr/share/datasets";

int apt_get(const std::vector<std::string>& arguments) {
  std::vector<std::string> all{"apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120"};
  if (geteuid() != 0) all.insert(all.begin(), {"sudo", "-n"});
  all.insert(all.end(), arguments.begin(), arguments.end());
  setenv("DEBIAN_FRONTEND", "noninteractive", 1);
  return run_program(all);
}

// If the package lists are old or empty, updates them and tries once more.
void install(const std::string& package) {
  const std::vector<std::string> arguments{"install", "-y", "--no-install-recommends", package};
  int code = apt_get(arguments);
  if (code > 0 && code < 128 && apt_get({"update"}) == 0) code = apt_get(arguments);
  if (code != 0)
    throw NoWay(fmt::format("Debian's package {} could not be installed; as root: apt-get install {}",
                            package, package));
}

void copy_files(const FoundSet& from, const FetchTarget& target) {
  for (const auto& [file, path, archived] : from.files) {
    if (!target.needs(*file)) continue;
    const std::string name = fs::path(path).filename().string();
    std::error_code error;
    fs::copy_file(path, target.part(name), fs::copy_options::overwrite_existing, error);
    if (error) throw_system_error("the file cannot be written", target.part(name), error.value());
    target.keep(name, {file});
  }
}

}  // namespace

void fetch_from_debian(const FetchTarget& target, bool leave_there) {
  const std::string& package = target.set().debian_package;
  const std::string place = (fs::path(debian_directory) / target.set().name).string();
  if (!find_set_in(place, target.set()).complete) {
    target.say(fmt::format("installing Debian's package {}", package));
    install(package);
  }
  const FoundSet installed = find_set_in(place, target.set());
  if (!installed.complete)
    throw NoWay(fmt::format("Debian's package {} does not contain the files", package));
  if (!leave_there) copy_files(installed, target);
}

}  // namespace doc2s
