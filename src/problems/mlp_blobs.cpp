// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/long_work.hpp"
#include "doc2s/base/random.hpp"
#include "mlp.hpp"

namespace doc2s {

namespace {

enum Draw : std::uint16_t { pictures, labels, noises };

constexpr double contrast = 0.15;  // standard deviation of the class pictures around grey

std::uint8_t pixel(double light) {  // 0 black, 1 white
  return static_cast<std::uint8_t>(std::lround(std::clamp(light, 0.0, 1.0) * 255));
}

std::vector<std::vector<double>> class_pictures(const BlobShape& shape, std::uint64_t seed) {
  std::vector<std::vector<double>> all(shape.classes, std::vector<double>(shape.dimension));
  for (int c = 0; c < shape.classes; ++c) {
    Random(seed, Purpose::synthetic, 0, c, pictures).normals(0, std::span(all[c]));
    for (double& light : all[c]) light = 0.5 + contrast * light;
  }
  return all;
}

// Images number first, first + 1, … of an infinite sequence.
Images images_from(Index first, Index count, const BlobShape& shape, std::uint64_t seed) {
  const auto centres = class_pictures(shape, seed);
  Images images;
  images.source = "synthetic";
  images.height = 1;
  images.width = static_cast<int>(shape.dimension);
  images.classes = shape.classes;
  images.pixels.reserve(count * shape.dimension);
  std::vector<double> noise(shape.dimension);
  const LongWork work("making synthetic images");
  for (Index row = first; row < first + count; ++row) {
    if (row % 256 == 0) work.go_on(static_cast<double>(row - first) / static_cast<double>(count));
    const auto label = Random(seed, Purpose::synthetic, 0, row, labels).below(shape.classes);
    images.labels.push_back(static_cast<int>(label));
    Random(seed, Purpose::synthetic, 0, row, noises).normals(0, std::span(noise));
    for (Index j = 0; j < shape.dimension; ++j)
      images.pixels.push_back(pixel(centres[label][j] + shape.noise * noise[j]));
  }
  return images;
}

}  // namespace

void make_blobs(const BlobShape& shape, std::uint64_t seed, Images& train, Images& test) {
  train = images_from(0, shape.size, shape, seed);
  test = images_from(shape.size, std::max<Index>(1, shape.size / 5), shape, seed);
}

}  // namespace doc2s
