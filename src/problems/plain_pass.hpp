// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "torch.hpp"

namespace doc2s {

// ResNet-18 on one batch as a program of libtorch's own modules computes it, in float32 with batch norm in
// training: the competitor of `doc2s bench torch`, inside libdoc2s_torch.so.
class PlainPass {
 public:
  virtual ~PlainPass() = default;

  virtual double run() = 0;                         // forward and backward; returns the mean loss
  virtual std::vector<float> gradient() const = 0;  // of the last run, in the order of x
};

// Uses width, threads and where of the setting. Throws Error as make_torch_problem does.
std::unique_ptr<PlainPass> make_plain_pass(const HeldInputs& train, std::span<const Index> rows,
                                           std::span<const float> x, const TorchSetting& setting);

}  // namespace doc2s
