// SPDX-License-Identifier: Apache-2.0
#include "problems/svm.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "data/synthetic.hpp"
#include "doc2s/base/random.hpp"

namespace doc2s {
namespace {

// Three samples by hand: a = (2, 0), (0, −1), (1, 1) with labels +, −, −.
Samples three_samples() {
  Samples samples;
  samples.dimension = 2;
  samples.offsets = {0, 1, 2, 4};
  samples.columns = {0, 1, 0, 1};
  samples.values = {2, -1, 1, 1};
  samples.labels = {1, -1, -1};
  return samples;
}

TEST(Svm, ValueAndGradientByHand) {
  const Svm<double> svm(three_samples(), {{0, 2}, {1}}, 0.1, 0.5);
  EXPECT_EQ(svm.clients(), 2);
  EXPECT_EQ(svm.samples(0), 2);
  EXPECT_EQ(svm.row(0, 1), 2);
  const std::vector<double> x = {0.25, -3};
  std::vector<double> g(2);
  const std::vector<Index> both = {0, 1};
  // margins: 1 − 2·0.25 = 0.5 and 1 + (0.25 − 3) = −1.75; penalty 0.1 (0.25 + 0.5)
  EXPECT_DOUBLE_EQ(svm.value(0, both, x, g), 0.25 + 0.075);
  EXPECT_DOUBLE_EQ(g[0], 0.1 - 1);                                 // −2/2 of the first sample and λ sign x
  EXPECT_DOUBLE_EQ(g[1], 0);                                       // |x| beyond the cap
  EXPECT_DOUBLE_EQ(svm.global_value(x), (0.325 + 4 + 0.075) / 2);  // client 1: 1 + (−1)(−3)
}

TEST(Svm, ASampleDrawnTwiceCountsTwice) {
  const Svm<double> svm(three_samples(), {{0, 1, 2}}, 0, 1);
  const std::vector<double> x = {0.1, 0.1};
  const std::vector<Index> twice = {0, 0, 1};
  EXPECT_NEAR(svm.value(0, twice, x, {}), (0.8 + 0.8 + 0.9) / 3, 1e-15);
}

TEST(Svm, GradientAgreesWithCentralDifferences) {
  const Samples samples = make_synthetic({.size = 60, .dimension = 12, .sparsity = 0.5, .noise = 0.1}, 3);
  Shares shares(3);
  for (Index row = 0; row < 60; ++row) shares[row % 3].push_back(row);
  const Svm<double> svm(samples, shares, 0.05, 0.8);
  std::vector<double> x(12), g(12);
  for (int point = 0; point < 20; ++point) {
    Random(point, Purpose::start).normals<double>(0, std::span(x));
    for (int client = 0; client < 3; ++client) {
      svm.local_value(client, x, g);
      for (int j = 0; j < 12; ++j) {
        constexpr double h = 1e-7;  // small enough to stay on one linear piece, almost surely
        auto up = x, down = x;
        up[j] += h, down[j] -= h;
        EXPECT_NEAR((svm.local_value(client, up) - svm.local_value(client, down)) / (2 * h), g[j], 1e-6);
      }
    }
  }
}

TEST(Svm, AccuracyIsTheShareOfRightSigns) {
  Svm<float> svm(three_samples(), {{0, 1, 2}}, 0, 1);
  const std::vector<float> x = {1.0f, 0.5f};
  EXPECT_TRUE(std::isnan(svm.accuracy(x)));
  svm.set_test(three_samples());
  EXPECT_DOUBLE_EQ(svm.accuracy(x), 2.0 / 3);  // 2 > 0 right, −0.5 < 0 right, 1.5 > 0 wrong
}

// Parts of 3 clients: of 4, 1 and 2 of these rows.
const Parts parts{{0, 3, 17, 59, 8, 20, 21}, {0, 4, 5, 7}};
const Shares same_shares{{0, 3, 17, 59}, {8}, {20, 21}};

template <class Real>
void expect_equal_svms(const SyntheticShape& shape) {
  const auto rows = std::make_shared<SyntheticRows>(shape, 3);
  const Svm<Real> kept(make_synthetic(shape, 3), same_shares, 0.05, 0.8), made(rows, parts, 0.05, 0.8);
  std::vector<Real> x(shape.dimension), g(shape.dimension), h(shape.dimension);
  const std::vector<Index> batch = {0, 2, 0, 3, 1};
  for (int point = 0; point < 5; ++point) {
    Random(point, Purpose::start).normals<Real>(0, std::span(x));
    EXPECT_EQ(made.value(0, batch, x, g), kept.value(0, batch, x, h));
    EXPECT_EQ(g, h);
    for (int client = 0; client < 3; ++client)
      EXPECT_EQ(made.local_value(client, x), kept.local_value(client, x));
  }
  EXPECT_EQ(made.held_samples(), kept.held_samples());
  for (int client = 0; client < 3; ++client) {
    EXPECT_EQ(made.samples(client), kept.samples(client));
    EXPECT_EQ(made.row(client, made.samples(client) - 1), kept.row(client, kept.samples(client) - 1));
    EXPECT_EQ(made.lipschitz(client), kept.lipschitz(client));
  }
}

TEST(Svm, RowsMadeWhenAskedForAreTheSame) {
  expect_equal_svms<double>({.size = 60, .dimension = 40, .sparsity = 0.3, .noise = 0.1});
  expect_equal_svms<float>({.size = 60, .dimension = 9, .sparsity = 1, .noise = 0.5});
}

}  // namespace
}  // namespace doc2s
