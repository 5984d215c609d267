// SPDX-License-Identifier: Apache-2.0
#ifdef DOC2S_WITH_TORCH
#include "problems/torch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "base/vectors.hpp"
#include "doc2s/base/error.hpp"
#include "doc2s/base/random.hpp"
#include "problems/mlp.hpp"

namespace doc2s {
namespace {

Images colour_blobs(Index count, int classes = 10, std::uint64_t seed = 1) {
  Images train, test;
  make_blobs({count, 3 * 32 * 32, classes, 0.3}, seed, train, test);
  train.channels = 3;
  train.height = train.width = 32;
  return train;
}

HeldInputs held_by(int clients, Index count, int classes = 10) {
  Shares shares(clients);
  for (Index row = 0; row < count; ++row) shares[row % clients].push_back(row);
  return hold(colour_blobs(count, classes), shares, {0, clients}, true);
}

template <class Real>
std::unique_ptr<Problem<Real>> resnet(TorchSetting setting = {.width = 0.125}, int clients = 2,
                                      Index count = 40) {
  return make_torch_problem<Real>(held_by(clients, count), {}, setting);
}

template <class Real>
std::vector<Real> start_of(const Problem<Real>& problem) {
  std::vector<Real> x(problem.dimension());
  problem.start(1, x);
  return x;
}

std::vector<Index> first(Index count) {
  std::vector<Index> batch(count);
  std::iota(batch.begin(), batch.end(), Index{0});
  return batch;
}

TEST(ResNet18, HasAsManyParametersAsThePapers) {
  EXPECT_EQ(make_torch_problem<float>(held_by(1, 4), {}, {.width = 1})->dimension(), 11'173'962);
  EXPECT_EQ(make_torch_problem<float>(held_by(1, 4, 100), {}, {.width = 1})->dimension(), 11'220'132);
}

TEST(ResNet18, StartsAsHeSaysAndDependsOnTheSeed) {
  const auto problem = resnet<double>();
  std::vector<double> x(problem->dimension()), other(x);
  problem->start(1, x);
  problem->start(2, other);
  EXPECT_EQ(x, start_of(*problem));
  EXPECT_NE(x[0], other[0]);
  const Index stem = 8 * 27;  // 3 → 8 channels, 3×3; then batch norm's weights and biases
  double squares = 0;
  for (Index j = 0; j < stem; ++j) squares += x[j] * x[j];
  EXPECT_NEAR(squares / stem, 2.0 / 27, 6 * (2.0 / 27) * std::sqrt(2.0 / stem));
  for (Index j = 0; j < 8; ++j) EXPECT_EQ(x[stem + j], 1);
  for (Index j = 8; j < 16; ++j) EXPECT_EQ(x[stem + j], 0);
  EXPECT_EQ(x.back(), 0);  // the last bias
}

// (F(x + hv) − F(x − hv)) / 2h against ∇F·v
TEST(ResNet18, GradientAgreesWithDirectionalDifferences) {
  const auto problem = resnet<double>({.width = 0.125, .lambda = 0.001, .augment = true});
  const auto x = start_of(*problem);
  const auto batch = first(10);
  std::vector<double> g(x.size()), v(x.size()), point(x.size());
  const double value = problem->value(1, batch, x, g);
  EXPECT_DOUBLE_EQ(problem->value(1, batch, x, {}), value);
  for (int trial = 0; trial < 5; ++trial) {
    Random(9, Purpose::direction, trial).normals(0, std::span(v));
    const double h = 1e-9;  // small: within it hardly a ReLU changes sides
    const auto at = [&](double step) {
      for (std::size_t j = 0; j < x.size(); ++j) point[j] = x[j] + step * v[j];
      return problem->value(1, batch, point, {});
    };
    const double slope = dot<double>(g, v);
    EXPECT_NEAR((at(h) - at(-h)) / (2 * h), slope, 1e-4 * norm<double>(g)) << trial;
  }
}

TEST(ResNet18, Float32IsNearFloat64) {
  const auto rough = resnet<float>();
  const auto fine = resnet<double>();
  const auto x = start_of(*rough);
  const auto y = start_of(*fine);
  std::vector<float> g(x.size());
  std::vector<double> h(y.size()), difference(y.size());
  EXPECT_NEAR(rough->value(0, first(8), x, g), fine->value(0, first(8), y, h), 1e-5);
  for (std::size_t j = 0; j < g.size(); ++j) difference[j] = g[j] - h[j];
  EXPECT_LT(norm<double>(difference), 1e-4 * norm<double>(h));
}

TEST(ResNet18, ManySamplesAreTakenInEqualPartsWithTheirOwnStatistics) {
  const auto problem = resnet<float>({.width = 0.125, .lambda = 0.01}, 1, 520);
  const auto x = start_of(*problem);
  const auto all = first(520);
  std::vector<float> g(x.size()), one(x.size());
  std::vector<double> mean(x.size());
  double value = 0;
  for (const auto& [from, to] : {std::pair{0, 173}, {173, 346}, {346, 520}}) {  // 256 at most
    const auto part = std::span(all).subspan(from, to - from);
    value += problem->value(0, part, x, one) * (to - from) / 520.;
    for (std::size_t j = 0; j < x.size(); ++j) mean[j] += one[j] * (to - from) / 520.;
  }
  EXPECT_NEAR(problem->value(0, all, x, g), value, 1e-6 * value);
  for (std::size_t j = 0; j < x.size(); ++j) ASSERT_NEAR(g[j], mean[j], 1e-5) << j;
}

template <class Real>
void expect_same_bits_everywhere() {
  const auto problem = resnet<Real>();
  const auto start = start_of(*problem);
  const auto batch = first(5);
  std::vector<Real> expected(start.size());
  const double value = problem->value(0, batch, start, expected);
  Threads threads(3);
  threads.each(16, [&](Index offset) {
    std::vector<Real> x(start.size() + 16), g(start.size() + 16, Real(7));
    std::copy(start.begin(), start.end(), x.begin() + offset);
    const auto out = std::span(g).subspan(offset * 7 % 16, start.size());
    EXPECT_EQ(problem->value(0, batch, std::span<const Real>(x).subspan(offset, start.size()), out), value);
    EXPECT_EQ(std::memcmp(out.data(), expected.data(), out.size_bytes()), 0) << offset;
  });
}

TEST(ResNet18, SameBitsWhereverTheVectorsLieAndOnAnyThread) {
  expect_same_bits_everywhere<float>();
  expect_same_bits_everywhere<double>();
}

TEST(ResNet18, CropsAndFlipsDependOnTheBatchAlone) {
  const auto plain = resnet<double>();
  const auto moved = resnet<double>({.width = 0.125, .augment = true});
  const auto x = start_of(*plain);
  const auto batch = first(6);
  const double value = moved->value(0, batch, x, {});
  EXPECT_EQ(moved->value(0, batch, x, {}), value);
  EXPECT_NE(plain->value(0, batch, x, {}), value);
  const std::vector<Index> again = {0, 0, 0, 0, 0, 0};  // one image, moved in six ways
  EXPECT_NE(moved->value(0, again, x, {}), plain->value(0, again, x, {}));
  EXPECT_EQ(moved->loss(0, batch, x), plain->loss(0, batch, x));  // records see the images as they are
}

TEST(ResNet18, RunningStatisticsBelongToTheClient) {
  const auto problem = resnet<float>({.width = 0.125, .running_statistics = true});
  const auto x = start_of(*problem);
  const auto batch = first(20);
  const double before = problem->loss(0, batch, x), other = problem->loss(1, batch, x);
  EXPECT_EQ(problem->loss(0, batch, x), before);  // looking changes nothing
  const double trained = problem->value(0, batch, x, {});
  EXPECT_NE(problem->loss(0, batch, x), before);
  EXPECT_EQ(problem->loss(1, batch, x), other);
  for (int k = 0; k < 60; ++k) problem->value(0, batch, x, {});
  // variances are taken over m − 1 where they are kept, and over m in training
  EXPECT_NEAR(problem->loss(0, batch, x), trained, 0.02 * trained);
}

TEST(ResNet18, RefusesImagesOfOtherSizes) {
  Images images = colour_blobs(4);
  images.channels = 1;
  images.height = 96;
  const HeldInputs held = hold(images, {{0, 1, 2, 3}}, {0, 1}, true);
  try {
    make_torch_problem<float>(held, {}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("96x32"), std::string::npos) << error.what();
  }
}

TEST(ResNet18, AccuracyIsTheShareOfTestImagesThatAreRight) {
  const auto problem = make_torch_problem<float>(held_by(1, 40), colour_blobs(300, 10, 3), {.width = 0.125});
  auto x = start_of(*problem);
  std::fill(x.end() - 10, x.end(), -1e6f);  // biases: everything is of class 7
  *(x.end() - 3) = 1e6f;
  const Images test = colour_blobs(300, 10, 3);
  const auto sevens = std::count(test.labels.begin(), test.labels.end(), 7);
  EXPECT_DOUBLE_EQ(problem->accuracy(x), static_cast<double>(sevens) / 300);
}

}  // namespace
}  // namespace doc2s
#endif
