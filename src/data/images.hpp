// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

// Labelled images, one byte per pixel value, image by image, channel by channel.
struct Images {
  std::string source;  // path of the (first) file
  int channels = 1, height = 0, width = 0;
  int classes = 0;
  std::vector<std::uint8_t> pixels;  // count() × features()
  std::vector<int> labels;           // 0 ≤ label < classes

  Index count() const { return static_cast<Index>(labels.size()); }
  Index features() const { return static_cast<Index>(channels) * height * width; }
};

Images rows_of(const Images& images, std::span<const Index> rows);

// Keeps only these rows (ascending) and frees the memory of the others.
void keep_rows(Images& images, std::span<const Index> rows);

// Appends images of the same shape.
void append(Images& images, const Images& more);

}  // namespace doc2s
