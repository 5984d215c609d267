// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace doc2s::bench {

// Work for the kernels. `run` does it once; `answer` does it from a fixed start and returns all its numbers.
struct KernelLoad {
  std::string name;
  std::function<void()> run;
  std::function<std::vector<double>()> answer;
};

// Two rounds of gossip on a ring and on a torus, a norm, normals, and an estimate on the SVM, of a size that
// stays in the caches, in one thread.
template <class Real>
std::vector<KernelLoad> kernel_loads();

}  // namespace doc2s::bench
