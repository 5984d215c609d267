// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "problems/plain_pass.hpp"
#include "problems/torch.hpp"

namespace doc2s {

// make_torch_problem inside libdoc2s_torch.so.
template <class Real>
std::unique_ptr<InputsProblem<Real>> make_here(HeldInputs train, Inputs test, const TorchSetting& setting);

// make_plain_pass inside it.
std::unique_ptr<PlainPass> plain_pass_here(const HeldInputs& train, std::span<const Index> rows,
                                           std::span<const float> x, const TorchSetting& setting);

}  // namespace doc2s
