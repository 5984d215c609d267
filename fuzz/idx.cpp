// SPDX-License-Identifier: Apache-2.0
#include "data/image_readers.hpp"
#include "target.hpp"

// Images, the mark, labels.
DOC2S_FUZZ_TARGET(bytes) {
  static doc2s::fuzz::InputFile images, labels;
  const auto [first, second] = doc2s::fuzz::halves(bytes, "|labels|");
  if (doc2s::fuzz::seems_packed(first) || doc2s::fuzz::seems_packed(second)) return;
  doc2s::read_idx(images.filled(first), labels.filled(second), 0);
}
