// SPDX-License-Identifier: Apache-2.0
#include "shared_cores.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string>

#include "doc2s/base/threads.hpp"
#include "join.hpp"

namespace doc2s {

namespace {

int whole_number(const std::string& text) { return static_cast<int>(std::strtol(text.c_str(), nullptr, 10)); }

// Slurm's "4(x2),3": nodes 0 and 1 have 4 tasks, node 2 has 3.
int of_node(const std::string& tasks_per_node, int node) {
  for (std::size_t at = 0; at < tasks_per_node.size();) {
    const std::size_t end = std::min(tasks_per_node.find(',', at), tasks_per_node.size());
    const std::string part = tasks_per_node.substr(at, end - at);
    const std::size_t times = part.find("(x");
    node -= times == std::string::npos ? 1 : whole_number(part.substr(times + 2));
    if (node < 0) return whole_number(part);
    at = end + 1;
  }
  return 0;
}

}  // namespace

int processes_on_this_machine() {
  const std::string told = first_set({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"});
  if (!told.empty()) return whole_number(told);
  return of_node(first_set({"SLURM_STEP_TASKS_PER_NODE"}), whole_number(first_set({"SLURM_NODEID"})));
}

bool must_share_cores(int processes, int mine, int all) { return processes > mine && processes * mine > all; }

bool processes_share_cores() {
  const int of_the_job = whole_number(first_set({"SLURM_CPUS_ON_NODE"}));
  const int of_the_machine = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  return must_share_cores(processes_on_this_machine(), usable_cores(),
                          of_the_job > 0 ? of_the_job : of_the_machine);
}

}  // namespace doc2s
