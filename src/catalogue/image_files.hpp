#pragma once
#include <string>
#include <vector>

#include "data/images.hpp"

namespace doc2s {

struct ImageData {
  Images train, test;  // test is empty where there is none
  std::vector<std::string> notices;
};

// A catalogue name (mnist, fashion-mnist, cifar10, cifar100), a directory that holds the upstream file names
// or the official archive, or one file: IDX images whose labels file stands beside it, CIFAR records, or the
// archive; all plain or compressed. A set that is only partly there is read with a notice. Throws Error where
// nothing is found, or a file is malformed, with its path and the byte or record.
ImageData read_images(const std::string& name_or_path);

}  // namespace doc2s
