#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

// Labelled images as a file holds them: one byte a pixel value, a row an image, channel by channel.
struct Images {
  std::string source;  // the file's path; where there are several, the first one's
  int channels = 1, height = 0, width = 0;
  int classes = 0;
  std::vector<std::uint8_t> pixels;  // count() × features()
  std::vector<int> labels;           // 0 ≤ label < classes

  Index count() const { return static_cast<Index>(labels.size()); }
  Index features() const { return static_cast<Index>(channels) * height * width; }
};

// Only the images of these rows, ascending, are kept; the memory of the others is given back.
void keep_rows(Images& images, std::span<const Index> rows);

// The images of `more`, which have the same shape, behind those that are there.
void append(Images& images, const Images& more);

}  // namespace doc2s
