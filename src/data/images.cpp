// SPDX-License-Identifier: Apache-2.0
#include "images.hpp"

#include <algorithm>

namespace doc2s {

Images rows_of(const Images& images, std::span<const Index> rows) {
  Images some{.source = images.source,
              .channels = images.channels,
              .height = images.height,
              .width = images.width,
              .classes = images.classes,
              .pixels = {},
              .labels = {}};
  const Index size = images.features();
  for (const Index row : rows) {
    const auto first = images.pixels.begin() + row * size;
    some.pixels.insert(some.pixels.end(), first, first + size);
    some.labels.push_back(images.labels[row]);
  }
  return some;
}

void keep_rows(Images& images, std::span<const Index> rows) {
  const Index size = images.features();
  Index kept = 0;
  for (const Index row : rows) {
    if (row != kept) {
      std::copy_n(images.pixels.begin() + row * size, size, images.pixels.begin() + kept * size);
      images.labels[kept] = images.labels[row];
    }
    ++kept;
  }
  images.pixels.resize(static_cast<std::size_t>(kept * size));
  images.labels.resize(static_cast<std::size_t>(kept));
  images.pixels.shrink_to_fit();
  images.labels.shrink_to_fit();
}

void append(Images& images, const Images& more) {
  if (images.count() == 0) {
    images = more;
    return;
  }
  images.classes = std::max(images.classes, more.classes);
  images.pixels.insert(images.pixels.end(), more.pixels.begin(), more.pixels.end());
  images.labels.insert(images.labels.end(), more.labels.begin(), more.labels.end());
}

}  // namespace doc2s
