// SPDX-License-Identifier: Apache-2.0
#include "mlp_scaling.hpp"

namespace doc2s {

template <class Real>
void make_scaling(Index features, const PixelMoments& moments, PixelScaling scaling, std::vector<Real>& shift,
                  std::vector<Real>& divisor) {
  shift.assign(features, 0);
  divisor.assign(features, scaling == PixelScaling::unit ? Real(255) : Real(1));
  if (scaling != PixelScaling::standardise || moments.count == 0) return;
  const auto& [count, sum, squares] = moments;
  for (Index j = 0; j < features; ++j) {
    shift[j] = static_cast<Real>(static_cast<double>(sum[j]) / static_cast<double>(count));
    divisor[j] = static_cast<Real>(pixel_deviation(count, sum[j], squares[j]));
  }
}

template void make_scaling(Index, const PixelMoments&, PixelScaling, std::vector<float>&,
                           std::vector<float>&);
template void make_scaling(Index, const PixelMoments&, PixelScaling, std::vector<double>&,
                           std::vector<double>&);

}  // namespace doc2s
