#pragma once
#include "doc2s/problems/mlp.hpp"

namespace doc2s {

// What an MLP is made of in one process.
struct MlpData {
  HeldImages train;
  Images test;  // in the first process, where there are some
  Split split;  // of all clients
  std::string source;
  std::vector<std::string> notices;
};

MlpData mlp_data(const ProblemRequest& request, PixelScaling scaling);

}  // namespace doc2s
