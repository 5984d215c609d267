// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace doc2s {

// A row of the paper's complexity table, with hidden constants set to 1. The values are orders, only
// comparable with each other.
struct Complexity {
  std::string method;
  std::string order;  // "first" or "zeroth"
  double samples, computation_rounds, communication_rounds;
  std::string note;  // what the paper does not specify
};

struct ComplexityInputs {
  double delta, epsilon, clients, dimension, gamma;
  bool zeroth;
};

// DOC²S and ME-DOL with the requested oracle, DGFM and DGFM⁺ with theirs.
std::vector<Complexity> complexities(const ComplexityInputs& inputs);

}  // namespace doc2s
