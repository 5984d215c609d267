// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "held_inputs.hpp"

namespace doc2s {

PixelMoments moments_of(const Images& images) {
  const auto features = static_cast<std::size_t>(images.features());
  PixelMoments result{static_cast<std::uint64_t>(images.count()), std::vector<std::uint64_t>(features),
                      std::vector<std::uint64_t>(features)};
  const std::uint8_t* pixel = images.pixels.data();
  for (Index row = 0; row < images.count(); ++row)
    for (std::size_t j = 0; j < features; ++j, ++pixel) {
      result.sum[j] += *pixel;
      result.squares[j] += static_cast<std::uint64_t>(*pixel) * *pixel;
    }
  return result;
}

double pixel_deviation(std::uint64_t count, std::uint64_t sum, std::uint64_t squares) {
  using Wide = unsigned __int128;
  const Wide spread =
      static_cast<Wide>(count) * squares - static_cast<Wide>(sum) * sum;  // m² times the variance
  return spread == 0 ? 1 : std::sqrt(static_cast<double>(spread)) / static_cast<double>(count);
}

}  // namespace doc2s
