// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "eigenvalues.hpp"

namespace doc2s {

namespace {

// Maximum of a unimodal function on [left, right], by golden-section search.
template <class Function>
double single_peak(Function f, double left, double right) {
  constexpr double ratio = std::numbers::phi - 1;
  double a = right - ratio * (right - left), b = left + ratio * (right - left);
  double at_a = f(a), at_b = f(b);
  for (int step = 0; step < 24; ++step) {
    if (at_a > at_b) {
      right = b;
      b = a, at_b = at_a;
      at_a = f(a = right - ratio * (right - left));
    } else {
      left = a;
      a = b, at_a = at_b;
      at_b = f(b = left + ratio * (right - left));
    }
  }
  return std::max(at_a, at_b);
}

}  // namespace

double peak(Rounds rounds, double low, double high) {
  // λ = middle + half·cos θ: q_R has at most R half waves over 0 ≤ θ ≤ π; each gets 16 points.
  const int last = 16 * (rounds.count + 1);
  const auto size = [&](double theta) {
    return std::abs(rounds.factor((low + high) / 2 + (high - low) / 2 * std::cos(theta)));
  };
  std::vector<double> sizes;
  for (int k = 0; k <= last; ++k) sizes.push_back(size(std::numbers::pi * k / last));
  double largest = *std::max_element(sizes.begin(), sizes.end());
  const double worth_a_look = 0.98 * largest;
  for (int k = 1; k < last; ++k)
    if (sizes[k] >= std::max({worth_a_look, sizes[k - 1], sizes[k + 1]}))
      largest = std::max(
          largest, single_peak(size, std::numbers::pi * (k - 1) / last, std::numbers::pi * (k + 1) / last));
  return largest;
}

}  // namespace doc2s
