// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "inputs_problem.hpp"
#include "kinds.hpp"
#include "losses.hpp"

namespace doc2s {

// A neural network of libtorch on labelled inputs. libtorch is optional and slow to load, so it is in a
// separate library, libdoc2s_torch.so, opened when the first such problem is made.
struct TorchSetting {
  std::string model{};  // a TorchScript file; "": ResNet-18
  std::string where{};  // config key, for messages about the model
  double width = 1;     // ResNet-18 only: channels relative to 64, 128, 256, 512
  LossRule loss{};
  double lambda = 0;
  bool augment = false;             // random crops and flips in training
  bool running_statistics = false;  // losses and accuracy use each client's running statistics
  int threads = 1;                  // per estimate
  std::uint64_t seed = 1;
};

// `test` may be empty. Throws Error if this build has no libtorch or the model does not fit the inputs.
template <class Real>
std::unique_ptr<InputsProblem<Real>> make_torch_problem(HeldInputs train, Inputs test,
                                                        const TorchSetting& setting);

bool has_torch();                              // whether the library is found
void require_torch(const std::string& where);  // opens it; throws Error if it is missing or does not fit

ProblemKind resnet18_kind();
ProblemKind torchscript_kind();

}  // namespace doc2s
