// SPDX-License-Identifier: Apache-2.0
#include "pictures.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <numeric>

namespace doc2s {

ChannelScaling channel_scaling(const Inputs& images, const PixelMoments& moments) {
  ChannelScaling scaling;
  if (images.is_table) return scaling;
  const Index area = static_cast<Index>(images.height) * images.width;
  const std::uint64_t count = moments.count * static_cast<std::uint64_t>(area);
  for (Index first = 0; first < images.features(); first += area) {
    const auto total = [&](const std::vector<std::uint64_t>& of) {
      return std::accumulate(of.begin() + first, of.begin() + first + area, std::uint64_t{0});
    };
    const std::uint64_t sum = total(moments.sum), squares = total(moments.squares);
    scaling.mean.push_back(static_cast<double>(sum) / static_cast<double>(count));
    scaling.deviation.push_back(pixel_deviation(count, sum, squares));
  }
  return scaling;
}

Random chance_of(std::uint64_t seed, int client, std::span<const Index> batch) {
  const std::uint64_t key = XXH3_64bits(batch.data(), batch.size_bytes());
  return {seed, Purpose::augmentation, static_cast<std::uint32_t>(client),
          static_cast<Tick>(key & 0xffffffffff), static_cast<std::uint16_t>(key >> 48)};
}

namespace {

struct Move {
  int down = 0, right = 0;
  bool turned = false;
};

Move drawn_move(Random& chance) {
  Move move;
  move.down = static_cast<int>(chance.below(9)) - 4;
  move.right = static_cast<int>(chance.below(9)) - 4;
  move.turned = chance.below(2) == 1;
  return move;
}

// One channel of one image.
template <class Real>
void load_channel(const std::uint8_t* pixels, int height, int width, const Move& move, double mean,
                  double deviation, Real* numbers) {
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      const int y = row + move.down, x = (move.turned ? width - 1 - column : column) + move.right;
      const bool inside = y >= 0 && y < height && x >= 0 && x < width;
      *numbers++ = inside ? static_cast<Real>((pixels[y * width + x] - mean) / deviation) : Real(0);
    }
}

// One image.
template <class Real>
void load_image(const Images& images, Index row, const ChannelScaling& scaling, const Move& move, Real* out) {
  const Index area = static_cast<Index>(images.height) * images.width;
  const std::uint8_t* pixels = images.pixels.data() + row * images.features();
  for (int c = 0; c < images.channels; ++c, pixels += area, out += area)
    load_channel(pixels, images.height, images.width, move, scaling.mean[c], scaling.deviation[c], out);
}

}  // namespace

template <class Real>
void load_inputs(const Inputs& inputs, std::span<const Index> rows, const ChannelScaling& scaling,
                 Random* chance, std::vector<Real>& numbers) {
  const Index size = inputs.features();
  numbers.resize(rows.size() * static_cast<std::size_t>(size));
  Real* out = numbers.data();
  for (const Index row : rows) {
    if (inputs.is_table)
      for (Index j = 0; j < size; ++j) out[j] = static_cast<Real>(inputs.values[row * size + j]);
    else
      load_image(inputs, row, scaling, chance ? drawn_move(*chance) : Move(), out);
    out += size;
  }
}

template void load_inputs(const Inputs&, std::span<const Index>, const ChannelScaling&, Random*,
                          std::vector<float>&);
template void load_inputs(const Inputs&, std::span<const Index>, const ChannelScaling&, Random*,
                          std::vector<double>&);

}  // namespace doc2s
