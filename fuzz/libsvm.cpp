// SPDX-License-Identifier: Apache-2.0
#include "data/libsvm.hpp"

#include "target.hpp"

DOC2S_FUZZ_TARGET(bytes) {
  static doc2s::fuzz::InputFile file;
  if (doc2s::fuzz::seems_packed(bytes)) return;
  doc2s::Samples samples = doc2s::read_libsvm(file.filled(bytes));
  doc2s::map_labels_to_signs(samples);
}
