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
  constexpr Index rest_begins = 128;  // at a multiple of this, where drawing in parts costs nothing
  const Index d = std::ssize(z), from = d / rest_begins * rest_begins;
  random.normals(0, z.first(from));
  double rest[rest_begins + 2];
  random.normals(from, std::span(rest).first(d + 2 - from));
  for (Index j = from; j < d; ++j) z[j] = static_cast<Real>(rest[j - from]);
  const double a = rest[d - from], b = rest[d + 1 - from];
  scale<Real>(z, std::sqrt(dot<Real>(z, z) + (a * a + b * b)));
}

template void unit_sphere(const Random&, std::span<float>);
template void unit_sphere(const Random&, std::span<double>);
template void unit_ball(const Random&, std::span<float>);
template void unit_ball(const Random&, std::span<double>);

}  // namespace doc2s
