#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "doc2s/problems/problem.hpp"
#include "held_images.hpp"
#include "kinds.hpp"

namespace doc2s {

// A neural network of libtorch on labelled images. libtorch is optional and slow to load, so it is in a
// separate library, libdoc2s_torch.so, opened when the first such problem is made.
struct TorchSetting {
  enum class Loss { cross_entropy, mse };

  std::string model{};  // a TorchScript file; "": ResNet-18
  std::string where{};  // config key, for messages about the model
  double width = 1;     // ResNet-18 only: channels relative to 64, 128, 256, 512
  Loss loss = Loss::cross_entropy;
  double lambda = 0;
  bool augment = false;             // random crops and flips in training
  bool running_statistics = false;  // losses and accuracy use each client's running statistics
  int threads = 1;                  // per estimate
  std::uint64_t seed = 1;
};

// `test` may be empty. Throws Error if this build has no libtorch or the model does not fit the images.
template <class Real>
std::unique_ptr<Problem<Real>> make_torch_problem(HeldImages train, Images test, const TorchSetting& setting);

bool has_torch();                              // whether the library is found
void require_torch(const std::string& where);  // opens it; throws Error if it is missing or does not fit

ProblemKind resnet18_kind();
ProblemKind torchscript_kind();

}  // namespace doc2s
