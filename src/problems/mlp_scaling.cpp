#include "mlp_scaling.hpp"

#include <cmath>

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

namespace {

// √(Σp²/m − (Σp/m)²); 1 where all are the same
double deviation(std::uint64_t count, std::uint64_t sum, std::uint64_t squares) {
  using Wide = unsigned __int128;
  const Wide spread =
      static_cast<Wide>(count) * squares - static_cast<Wide>(sum) * sum;  // m² times the variance
  return spread == 0 ? 1 : std::sqrt(static_cast<double>(spread)) / static_cast<double>(count);
}

}  // namespace

template <class Real>
void make_scaling(Index features, const PixelMoments& moments, PixelScaling scaling, std::vector<Real>& shift,
                  std::vector<Real>& divisor) {
  shift.assign(features, 0);
  divisor.assign(features, scaling == PixelScaling::unit ? Real(255) : Real(1));
  if (scaling != PixelScaling::standardise || moments.count == 0) return;
  const auto& [count, sum, squares] = moments;
  for (Index j = 0; j < features; ++j) {
    shift[j] = static_cast<Real>(static_cast<double>(sum[j]) / static_cast<double>(count));
    divisor[j] = static_cast<Real>(deviation(count, sum[j], squares[j]));
  }
}

template void make_scaling(Index, const PixelMoments&, PixelScaling, std::vector<float>&,
                           std::vector<float>&);
template void make_scaling(Index, const PixelMoments&, PixelScaling, std::vector<double>&,
                           std::vector<double>&);

}  // namespace doc2s
