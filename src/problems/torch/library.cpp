#include "../torch_library.hpp"
#include "doc2s/base/version.hpp"
#include "make_here.hpp"

extern "C" __attribute__((visibility("default"))) const doc2s::TorchLibrary* doc2s_torch_library_3() {
  using namespace doc2s;
  static const TorchLibrary library{version(), make_here<float>, make_here<double>, plain_pass_here};
  return &library;
}
