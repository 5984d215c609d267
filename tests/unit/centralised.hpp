// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

#include "base/vectors.hpp"
#include "testing_world.hpp"

namespace doc2s::testing {

// The centralised online-to-nonconvex conversion with one sampled client an iteration: w = x + sΔ, x ← x + Δ,
// Δ ← clip_D(Δ − ηg).
struct CentralisedConversion {
  SmallWorld<double>& small;
  Tick T;
  double eta, D;
  std::vector<double> x;
  std::vector<double> Delta = std::vector<double>(x.size()), w_sum = Delta, w = Delta, g = Delta;
  std::vector<std::vector<double>> epoch_means = {};  // ŵ of each whole epoch

  void step(Tick tick) {
    if (tick % T == 0) Delta = w_sum = std::vector<double>(x.size());
    const int i = small.world.client_at(tick);
    const double s = small.world.interpolation(i, tick);
    for (std::size_t j = 0; j < x.size(); ++j) {
      w[j] = x[j] + s * Delta[j];
      x[j] += Delta[j];
      w_sum[j] += w[j];
    }
    small.oracle->estimate(i, tick, w, g);
    for (std::size_t j = 0; j < x.size(); ++j) Delta[j] -= eta * g[j];
    const double factor = std::min(1.0, D / norm<double>(Delta));
    for (double& number : Delta) number *= factor;
    if (tick % T == T - 1) epoch_means.push_back(w_sum);
    if (tick % T == T - 1)
      for (double& number : epoch_means.back()) number /= static_cast<double>(T);
  }
};

inline void expect_near(std::span<const double> a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t j = 0; j < b.size(); ++j) ASSERT_NEAR(a[j], b[j], tolerance) << "coordinate " << j;
}

}  // namespace doc2s::testing
