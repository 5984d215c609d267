// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace doc2s {

// Runs a program without a shell, in `folder` if given, with stdin closed and stdout to stderr. Returns the
// exit code, 128 + signal number, or −1 if there is no such program.
int run_program(std::vector<std::string> arguments, const std::string& folder = "");

// The same with this text on stdin; what it prints comes back, but for stderr.
struct ProgramAnswer {
  int code;
  std::string said;
};
ProgramAnswer ask_program(std::vector<std::string> arguments, std::string_view input);

// argv for exec and posix_spawn; valid as long as the texts.
std::vector<char*> argument_pointers(std::vector<std::string>& arguments);

}  // namespace doc2s
