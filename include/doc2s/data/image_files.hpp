#pragma once
#include <string>
#include <vector>

#include "doc2s/data/images.hpp"

namespace doc2s {

struct ImageData {
  Images train, test;  // test is empty where there is none
  std::vector<std::string> notices;
};

// A catalogue name (mnist, fashion-mnist, cifar10, cifar100), a directory that holds the upstream file names, or one
// file of images whose labels file stands beside it.
ImageData read_images(const std::string& name_or_path);

}  // namespace doc2s
