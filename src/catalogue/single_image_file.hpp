// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>

#include "image_files.hpp"

namespace doc2s {

// Reads one file, recognised by its content, then by its name.
ImageData read_single_image_file(const std::string& path);

// The members of an archive that have the upstream names of a CIFAR set.
std::map<std::string, std::string> archived_image_files(const std::string& archive);

}  // namespace doc2s
