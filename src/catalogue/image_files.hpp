// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "data/images.hpp"

namespace doc2s {

struct ImageData {
  Images train, test;  // test may be empty
  std::vector<std::string> notices;
};

// Reads a catalogue name (mnist, fashion-mnist, cifar10, cifar100), a directory with the upstream file names
// or the official archive, or one file: IDX images with the labels file beside it, CIFAR records, or the
// archive. All may be compressed. A partly present set is read with a notice. Throws Error if nothing is
// found or a file is malformed, with its path and the byte or record.
ImageData read_images(const std::string& name_or_path);

}  // namespace doc2s
