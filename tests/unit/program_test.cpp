// SPDX-License-Identifier: Apache-2.0
#include "base/program.hpp"

#include <sys/stat.h>

#include "data_testing.hpp"

namespace doc2s {
namespace {

class ProgramTest : public data_testing::Scratch {};

TEST_F(ProgramTest, WithoutAShell) {
  const data_testing::Variable found("PATH", path("bin").c_str());
  const auto code = [](std::vector<std::string> words) { return ask_program(std::move(words), "").code; };
  const auto script = write("bin/tool", "#!/bin/sh\n[ \"$1\" = '; exit 9' ] && exit 5\nexit 1\n");
  EXPECT_EQ(code({"tool"}), -1);  // not executable
  chmod(script.c_str(), 0755);
  EXPECT_EQ(code({"tool", "; exit 9"}), 5);
  EXPECT_EQ(code({"tool", "exit 9"}), 1);
  EXPECT_EQ(code({"no-such-tool"}), -1);
  write("bin/tool", "#!/bin/sh\nkill -9 $$\n");
  EXPECT_EQ(code({"tool"}), 137);
}

TEST_F(ProgramTest, WhatItIsAskedAndAnswers) {
  const data_testing::Variable found("PATH", (path("bin") + ":/usr/bin:/bin").c_str());
  chmod(write("bin/tool", "#!/bin/sh\ncat\necho aside >&2\nexit 4\n").c_str(), 0755);
  const std::string text(1 << 20, 'x');
  const ProgramAnswer answer = ask_program({"tool"}, text);
  EXPECT_EQ(answer.code, 4);
  EXPECT_EQ(answer.said, text);
}

}  // namespace
}  // namespace doc2s
