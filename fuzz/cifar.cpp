// SPDX-License-Identifier: Apache-2.0
#include "catalogue/image_files.hpp"
#include "target.hpp"

// CIFAR records or a tar archive of them. The file name gives no hint, so the content decides.
DOC2S_FUZZ_TARGET(bytes) {
  static doc2s::fuzz::InputFile file;
  if (doc2s::fuzz::seems_packed(bytes)) return;
  doc2s::read_images(file.filled(bytes));
}
