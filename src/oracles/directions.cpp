#include "directions.hpp"

#include <cmath>

#include "doc2s/base/ordered_sum.hpp"
#include "doc2s/base/vectors.hpp"

namespace doc2s {

namespace {

// The numbers, rounded, over √(the sum of their squares + beyond)
template <class Real>
void scale_into(const double* numbers, double beyond, std::span<Real> z) {
  const double sum = ordered_sum(std::ssize(z), [numbers](Index j) {
    const double rounded = static_cast<Real>(numbers[j]);
    return rounded * rounded;
  });
  const auto factor = static_cast<Real>(1 / std::sqrt(sum + beyond));
  for (std::size_t j = 0; j < z.size(); ++j) z[j] = static_cast<Real>(numbers[j]) * factor;
}

}  // namespace

template <class Real>
void unit_sphere(const Random& random, std::span<Real> z) {
  random.normals(0, z);
  scale<Real>(z, static_cast<Real>(1 / norm<Real>(z)));
}

template <class Real>
void unit_ball(const Random& random, std::span<Real> z) {
  // the rest begins and ends where drawing in parts costs nothing
  constexpr Index whole = 128, part = 32;
  const Index d = std::ssize(z), from = d / whole * whole, count = (d + 2 - from + part - 1) / part * part;
  random.normals(0, z.first(from));
  double rest[whole + part];
  random.normals(from, std::span(rest).first(count));
  const double a = rest[d - from], b = rest[d + 1 - from], beyond = a * a + b * b;
  if (from == 0) return scale_into<Real>(rest, beyond, z);
  for (Index j = from; j < d; ++j) z[j] = static_cast<Real>(rest[j - from]);
  scale<Real>(z, static_cast<Real>(1 / std::sqrt(dot<Real>(z, z) + beyond)));
}

template void unit_sphere(const Random&, std::span<float>);
template void unit_sphere(const Random&, std::span<double>);
template void unit_ball(const Random&, std::span<float>);
template void unit_ball(const Random&, std::span<double>);

}  // namespace doc2s
