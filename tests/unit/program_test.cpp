// SPDX-License-Identifier: Apache-2.0
#include "base/program.hpp"

#include <sys/stat.h>

#include "data_testing.hpp"

namespace doc2s {
namespace {

class ProgramTest : public data_testing::Scratch {};

TEST_F(ProgramTest, WithoutAShell) {
  const data_testing::Variable found("PATH", path("bin").c_str());
  const auto script =
      write("bin/tool", "#!/bin/sh\n[ \"$1\" = '; exit 9' ] && [ -e here ] && exit 5\nexit 1\n");
  write("folder/here", "");
  EXPECT_EQ(run_program({"tool"}), -1);  // not executable
  chmod(script.c_str(), 0755);
  EXPECT_EQ(run_program({"tool", "; exit 9"}, path("folder")), 5);
  EXPECT_EQ(run_program({"tool", "; exit 9"}), 1);
  EXPECT_EQ(run_program({"no-such-tool"}), -1);
  write("bin/tool", "#!/bin/sh\nkill -9 $$\n");
  EXPECT_EQ(run_program({"tool"}), 137);
}

}  // namespace
}  // namespace doc2s
