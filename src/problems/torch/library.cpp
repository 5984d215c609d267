// SPDX-License-Identifier: Apache-2.0
#include "../torch_library.hpp"
#include "make_here.hpp"

extern "C" __attribute__((visibility("default"))) const char* doc2s_torch_identity() {
  return doc2s::torch_identity();
}

extern "C" __attribute__((visibility("default"))) const doc2s::TorchLibrary* doc2s_torch_library() {
  using namespace doc2s;
  static const TorchLibrary library{make_here<float>, make_here<double>, plain_pass_here};
  return &library;
}
