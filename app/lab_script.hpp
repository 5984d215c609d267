// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace doc2s::app {

// The program becomes python3 NAME WORD…, a script of lab/: beside the program in a build, under share/doc2s
// where it is installed. `command` is what needs it.
[[noreturn]] void become_lab_script(const std::string& name, const std::vector<std::string>& words,
                                    const std::string& command);

}  // namespace doc2s::app
