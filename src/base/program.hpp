// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace doc2s {

// Runs a program without a shell, with this text on stdin. `code` is its exit code, 128 + signal number, or
// −1 if there is no such program; `said` is what it prints on stdout.
struct ProgramAnswer {
  int code;
  std::string said;
};
ProgramAnswer ask_program(std::vector<std::string> arguments, std::string_view input);

// argv for exec and posix_spawn; valid as long as the texts.
std::vector<char*> argument_pointers(std::vector<std::string>& arguments);

}  // namespace doc2s
