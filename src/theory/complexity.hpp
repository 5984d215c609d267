#pragma once
#include <string>
#include <vector>

namespace doc2s {

// A row of the paper's table of complexities, its formulas evaluated without their hidden constants: orders,
// fit to be compared with each other and with nothing else.
struct Complexity {
  std::string method;
  std::string order;  // "first" or "zeroth": what a client may ask
  double samples, computation_rounds, communication_rounds;
  std::string note;  // what the paper leaves open
};

struct ComplexityInputs {
  double delta, epsilon, clients, dimension, gamma;
  bool zeroth;
};

// DOC²S and ME-DOL with the oracle asked for, DGFM and DGFM⁺ with the one they have.
std::vector<Complexity> complexities(const ComplexityInputs& inputs);

}  // namespace doc2s
