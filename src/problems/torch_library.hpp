#pragma once
#include "plain_pass.hpp"
#include "torch.hpp"

namespace doc2s {

// The entry point of libdoc2s_torch.so, looked up by name. The number in the name grows with the struct, so
// that a library built before is refused.
struct TorchLibrary {
  const char* version;  // of doc2s
  std::unique_ptr<InputsProblem<float>> (*make_float)(HeldInputs, Inputs, const TorchSetting&);
  std::unique_ptr<InputsProblem<double>> (*make_double)(HeldInputs, Inputs, const TorchSetting&);
  std::unique_ptr<PlainPass> (*plain_pass)(const HeldInputs&, std::span<const Index>, std::span<const float>,
                                           const TorchSetting&);
};
using TorchEntry = const TorchLibrary* (*)();
constexpr const char* torch_entry_name = "doc2s_torch_library_3";
constexpr const char* torch_library_name = "libdoc2s_torch.so";

}  // namespace doc2s
