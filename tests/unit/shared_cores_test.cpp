// SPDX-License-Identifier: Apache-2.0
#include "transport/shared_cores.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

namespace doc2s {
namespace {

// Only these of the variables that tell of other processes.
class Environment {
 public:
  explicit Environment(const std::map<std::string, std::string>& set) {
    for (const char* name : names) {
      unsetenv(name);
      if (const auto found = set.find(name); found != set.end()) setenv(name, found->second.c_str(), 1);
    }
  }
  ~Environment() {
    for (const char* name : names) unsetenv(name);
  }
  Environment(const Environment&) = delete;

 private:
  static constexpr const char* names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                                          "SLURM_STEP_TASKS_PER_NODE", "SLURM_NODEID", "SLURM_CPUS_ON_NODE"};
};

int told(const std::map<std::string, std::string>& set) {
  const Environment environment(set);
  return processes_on_this_machine();
}

TEST(SharedCores, WhatTheEnvironmentSays) {
  EXPECT_EQ(told({}), 0);
  EXPECT_EQ(told({{"OMPI_COMM_WORLD_LOCAL_SIZE", "7"}}), 7);
  const auto slurm = [](const char* tasks, const char* node) {
    return told({{"SLURM_STEP_TASKS_PER_NODE", tasks}, {"SLURM_NODEID", node}});
  };
  EXPECT_EQ(slurm("16", "0"), 16);
  EXPECT_EQ(slurm("4(x2),3", "0"), 4);
  EXPECT_EQ(slurm("4(x2),3", "1"), 4);
  EXPECT_EQ(slurm("4(x2),3", "2"), 3);
  EXPECT_EQ(slurm("4(x2),3", "3"), 0);
  EXPECT_EQ(slurm("what", "0"), 0);
}

TEST(SharedCores, Counting) {
  EXPECT_FALSE(must_share_cores(0, 2, 2));  // nobody says
  EXPECT_FALSE(must_share_cores(1, 2, 2));
  EXPECT_FALSE(must_share_cores(2, 2, 2));  // free to run anywhere, and enough
  EXPECT_TRUE(must_share_cores(3, 2, 2));
  EXPECT_FALSE(must_share_cores(4, 1, 4));  // each bound to its own
  EXPECT_TRUE(must_share_cores(8, 1, 4));
  EXPECT_TRUE(must_share_cores(4, 2, 2));  // of a job that has 2 of 64
  EXPECT_FALSE(must_share_cores(4, 16, 64));
}

TEST(SharedCores, OfThisJob) {
  const Environment environment(std::map<std::string, std::string>{{"OMPI_COMM_WORLD_LOCAL_SIZE", "100000"}});
  EXPECT_TRUE(processes_share_cores());
}

}  // namespace
}  // namespace doc2s
