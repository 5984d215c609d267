// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "doc2s/base/processes.hpp"
#include "run_directory.hpp"

namespace doc2s {

// The folder of a run, as its processes find it, each perhaps on a machine of its own.
struct SharedFolder {
  std::string path{};         // of the first process, absolute
  std::string blind_ranks{};  // those that do not see it, as text; "": none
  std::vector<std::string> notes{};
  std::unique_ptr<RunDirectory> own{};  // of this process, where the folder's name leads elsewhere
};

// `first`: the folder at the first process; null at the others, which claim one of their own by `claim`.
// Every process must call this. Throws Error where somebody does not see what all need.
SharedFolder shared_folder(Processes& processes, const RunDirectory* first, RunDirectory::Claim claim,
                           bool needed_by_all);

}  // namespace doc2s
