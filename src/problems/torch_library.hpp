// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plain_pass.hpp"
#include "torch.hpp"

namespace doc2s {

// What a program and its libdoc2s_torch.so must have in common (cmake/TorchIdentity.cmake): the sources, and
// the C++ library's binary interface. The library returns its own by the plain C function
// doc2s_torch_identity(), whose name and type never change; nothing else of it is used before.
const char* torch_identity();
using TorchIdentity = const char* (*)();
constexpr const char* torch_identity_name = "doc2s_torch_identity";

// The entry points of the library.
struct TorchLibrary {
  std::unique_ptr<InputsProblem<float>> (*make_float)(HeldInputs, Inputs, const TorchSetting&);
  std::unique_ptr<InputsProblem<double>> (*make_double)(HeldInputs, Inputs, const TorchSetting&);
  std::unique_ptr<PlainPass> (*plain_pass)(const HeldInputs&, std::span<const Index>, std::span<const float>,
                                           const TorchSetting&);
};
using TorchEntry = const TorchLibrary* (*)();
constexpr const char* torch_entry_name = "doc2s_torch_library";
constexpr const char* torch_library_name = "libdoc2s_torch.so";

}  // namespace doc2s
