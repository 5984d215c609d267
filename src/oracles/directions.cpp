#include "directions.hpp"

#include <cmath>

#include "doc2s/base/vectors.hpp"

namespace doc2s {

namespace {

template <class Real>
void scale(std::span<Real> z, double norm) {
  const auto factor = static_cast<Real>(1 / norm);
  for (Real& number : z) number *= factor;
}

}  // namespace

template <class Real>
void unit_sphere(const Random& random, std::span<Real> z) {
  random.normals(0, z);
  scale<Real>(z, norm<Real>(z));
}

template <class Real>
void unit_ball(const Random& random, std::span<Real> z) {
  random.normals(0, z);
  const auto d = std::ssize(z);
  double rest[8];  // normals number d and d + 1, read from a multiple of 4
  const Index from = d / 4 * 4;
  random.normals(from, std::span<double>(rest, 8));
  const double a = rest[d - from], b = rest[d + 1 - from];
  scale<Real>(z, std::sqrt(dot<Real>(z, z) + (a * a + b * b)));
}

template void unit_sphere(const Random&, std::span<float>);
template void unit_sphere(const Random&, std::span<double>);
template void unit_ball(const Random&, std::span<float>);
template void unit_ball(const Random&, std::span<double>);

}  // namespace doc2s
