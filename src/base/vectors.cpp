#include "vectors.hpp"

#include <cmath>

#include "ordered_sum.hpp"

namespace doc2s {

template <class Real>
double dot(std::span<const Real> a, std::span<const Real> b) {
  return ordered_sum(std::ssize(a), [&](Index j) { return static_cast<double>(a[j]) * b[j]; });
}

template <class Real>
double norm(std::span<const Real> a) {
  return std::sqrt(dot(a, a));
}

template <class Real>
double distance(std::span<const Real> a, std::span<const Real> b) {
  return std::sqrt(ordered_sum(std::ssize(a), [&](Index j) {
    const double difference = static_cast<double>(a[j]) - b[j];
    return difference * difference;
  }));
}

template <class Real>
void scale(std::span<Real> y, Real factor) {
  for (Real& number : y) number *= factor;
}

template <class Real>
void add_scaled(std::span<Real> y, Real factor, std::span<const Real> x) {
  for (std::size_t j = 0; j < y.size(); ++j) y[j] += factor * x[j];
}

#define DOC2S_INSTANTIATE(Real)                                           \
  template double dot(std::span<const Real>, std::span<const Real>);      \
  template double norm(std::span<const Real>);                            \
  template double distance(std::span<const Real>, std::span<const Real>); \
  template void scale(std::span<Real>, Real);                             \
  template void add_scaled(std::span<Real>, Real, std::span<const Real>);
DOC2S_INSTANTIATE(float)
DOC2S_INSTANTIATE(double)
#undef DOC2S_INSTANTIATE

}  // namespace doc2s
