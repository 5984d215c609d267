#pragma once
#include <span>

#include "doc2s/base/types.hpp"

namespace doc2s {

// Sums use the order of ordered_sum.hpp, in double.
template <class Real>
double dot(std::span<const Real> a, std::span<const Real> b);

template <class Real>
double norm(std::span<const Real> a);  // ‖a‖

template <class Real>
double distance(std::span<const Real> a, std::span<const Real> b);  // ‖a − b‖

template <class Real>
void scale(std::span<Real> y, Real factor);  // y *= factor

template <class Real>
void add_scaled(std::span<Real> y, Real factor, std::span<const Real> x);  // y += factor · x

}  // namespace doc2s
