// SPDX-License-Identifier: Apache-2.0
#include "complexity.hpp"

#include <cmath>

namespace doc2s {

namespace {

const char* const open_gamma = "how it depends on γ is not known, γ is left out";

// 1/(δε³), 1/(δε³), 1/(√γ δε³); zeroth order: times d
Complexity doc2s(const ComplexityInputs& in) {
  const double calls = (in.zeroth ? in.dimension : 1) / (in.delta * std::pow(in.epsilon, 3));
  return {"doc2s", in.zeroth ? "zeroth" : "first", calls,
          calls,   calls / std::sqrt(in.gamma),    "communication without its logarithms"};
}

// n²/(γ²δε³), n/(γ²δε³), n/(γ²δε³); zeroth order: times d
Complexity me_dol(const ComplexityInputs& in) {
  const double rounds = in.clients * (in.zeroth ? in.dimension : 1) /
                        (in.gamma * in.gamma * in.delta * std::pow(in.epsilon, 3));
  return {"me-dol", in.zeroth ? "zeroth" : "first", in.clients * rounds, rounds, rounds, ""};
}

// n d^{3/2}/(γᵖδε⁴), d^{3/2}/(γᵖδε⁴), d^{3/2}/(γᵖδε⁴)
Complexity dgfm(const ComplexityInputs& in) {
  const double rounds = std::pow(in.dimension, 1.5) / (in.delta * std::pow(in.epsilon, 4));
  return {"dgfm", "zeroth", in.clients * rounds, rounds, rounds, open_gamma};
}

// n^{3/2}d^{1/2}/(δε²) · (1 + d/(nε)), n^{1/2}d^{1/2}/(δε²) · (1 + d/(nε)), n^{1/2}d^{1/2}/(γ^qδε²)
Complexity dgfm_plus(const ComplexityInputs& in) {
  const double steps = std::sqrt(in.clients * in.dimension) / (in.delta * in.epsilon * in.epsilon);
  const double rounds = steps * (1 + in.dimension / (in.clients * in.epsilon));
  return {"dgfm-plus", "zeroth", in.clients * rounds, rounds, steps, open_gamma};
}

}  // namespace

std::vector<Complexity> complexities(const ComplexityInputs& inputs) {
  return {doc2s(inputs), me_dol(inputs), dgfm(inputs), dgfm_plus(inputs)};
}

}  // namespace doc2s
