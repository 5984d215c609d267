// SPDX-License-Identifier: Apache-2.0
#include "kink.hpp"

#include <algorithm>
#include <cmath>

#include "base/vectors.hpp"
#include "doc2s/base/random.hpp"

namespace doc2s {

namespace {

constexpr double noise = 1e-12;                  // of a gradient, relative to its length
constexpr double nearby = 0x1p-32;               // times delta
constexpr std::uint32_t aside = 1, of_test = 2;  // keys of the random numbers

void add_random(std::span<double> point, double length, Random random) {
  const double side = length / std::sqrt(static_cast<double>(point.size()));
  for (double& number : point) number += side * (2 * random.uniform() - 1);
}

}  // namespace

void step_aside(std::span<double> point, double length, std::uint64_t seed, Tick draw) {
  add_random(point, length, Random(seed, Purpose::certificate, aside, draw));
}

bool has_kink(const GradientFunction& f, std::span<const double> x, std::span<const double> gradient,
              double delta, std::uint64_t seed) {
  std::vector<double> point(x.size()), there(x.size());
  const auto change = [&](double share) {  // of ∇f, at x plus so much of the offset
    std::ranges::copy(x, point.begin());
    add_random(point, share * nearby * delta, Random(seed, Purpose::certificate, of_test));
    f(point, there);
    return distance<double>(there, gradient);
  };
  const double least = noise * norm<double>(gradient);
  for (const double side : {1.0, -1.0}) {
    const double far = change(side);
    if (far > least && change(side / 2) > 0.75 * far) return true;
  }
  return false;
}

}  // namespace doc2s
