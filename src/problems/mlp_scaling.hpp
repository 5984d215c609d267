// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "mlp.hpp"

namespace doc2s {

// Computes the shift and divisor of each pixel.
template <class Real>
void make_scaling(Index features, const PixelMoments& moments, PixelScaling scaling, std::vector<Real>& shift,
                  std::vector<Real>& divisor);

// The features of one image.
template <class Real>
void scale_pixels(const std::uint8_t* pixels, const std::vector<Real>& shift,
                  const std::vector<Real>& divisor, Real* features) {
  const std::size_t count = shift.size();
  for (std::size_t j = 0; j < count; ++j)
    features[j] = (static_cast<Real>(pixels[j]) - shift[j]) / divisor[j];
}

}  // namespace doc2s
