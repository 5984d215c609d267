// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace doc2s {

// Runs a program without a shell, in `folder` if given, with stdin closed. stdout goes to stderr; with `log`,
// stdout is discarded and stderr goes to that file. Returns the exit code, 128 + signal number, or −1 if
// there is no such program.
int run_program(std::vector<std::string> arguments, const std::string& folder = "",
                const std::string& log = "");

// argv for exec and posix_spawn; valid as long as the texts.
std::vector<char*> argument_pointers(std::vector<std::string>& arguments);

}  // namespace doc2s
