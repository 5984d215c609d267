// SPDX-License-Identifier: Apache-2.0
#include "lab_script.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "base/program.hpp"
#include "doc2s/base/error.hpp"

namespace doc2s::app {

namespace {

std::string script_path(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  const fs::path folder = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  const fs::path ours = folder / "lab" / name, installed = folder / DOC2S_SHARE_FROM_PROGRAM / name;
  if (fs::exists(ours, unknown)) return ours.string();
  if (fs::exists(installed, unknown)) return installed.string();
  throw MachineError(fmt::format("a part of doc2s is missing: there is neither {} nor {}", ours.string(),
                                 installed.lexically_normal().string()),
                     "", "use the doc2s of a checkout or a package");
}

}  // namespace

void become_lab_script(const std::string& name, const std::vector<std::string>& words,
                       const std::string& command) {
  std::vector<std::string> all{"python3", "-B", script_path(name)};
  all.insert(all.end(), words.begin(), words.end());
  std::fflush(stdout);
  for (const char* python : {"/usr/bin/python3", "python3"}) execvp(python, argument_pointers(all).data());
  throw MachineError(fmt::format("`doc2s {}` needs python3, which is not installed", command), "",
                     "install Debian's package python3");
}

}  // namespace doc2s::app
