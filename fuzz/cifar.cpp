#include "catalogue/image_files.hpp"
#include "target.hpp"

// CIFAR records, or a tar archive of them; the file's name tells nothing, so that all depends on its content.
DOC2S_FUZZ_TARGET(bytes) {
  static doc2s::fuzz::InputFile file;
  if (doc2s::fuzz::seems_packed(bytes)) return;
  doc2s::read_images(file.filled(bytes));
}
