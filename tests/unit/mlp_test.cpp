// SPDX-License-Identifier: Apache-2.0
// Also under the thread sanitizer.
#include "problems/mlp.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "doc2s/base/error.hpp"
#include "doc2s/base/random.hpp"
#include "doc2s/base/threads.hpp"

namespace doc2s {
namespace {

Images blobs(Index size, Index dimension, int classes, std::uint64_t seed = 1, double noise = 0.3) {
  Images train, test;
  make_blobs({size, dimension, classes, noise}, seed, train, test);
  return train;
}

Shares dealt(Index rows, int clients) {
  Shares shares(clients);
  for (Index row = 0; row < rows; ++row) shares[row % clients].push_back(row);
  return shares;
}

template <class Real>
std::vector<Real> start_of(const Mlp<Real>& mlp, std::uint64_t seed = 1) {
  std::vector<Real> x(mlp.dimension());
  mlp.start(seed, x);
  // biases off zero, so that their places are tested too
  for (const auto& layer : mlp.layers())
    Random(seed + 100, Purpose::start).normals(0, std::span(x).subspan(layer.biases, layer.out));
  return x;
}

// The loss of one image by the formula, in plain loops on long double, softmax without any care.
double naive_loss(const Mlp<double>& mlp, std::vector<long double> a, int label, double lambda,
                  const std::vector<double>& x) {
  for (const auto& layer : mlp.layers()) {
    std::vector<long double> z(layer.out);
    for (Index o = 0; o < layer.out; ++o) {
      z[o] = x[layer.biases + o];
      for (Index i = 0; i < layer.in; ++i) z[o] += x[layer.weights + o * layer.in + i] * a[i];
      if (&layer != &mlp.layers().back() && z[o] < 0) z[o] = 0;
    }
    a = z;
  }
  long double sum = 0, squares = 0;
  for (const long double z : a) sum += std::exp(z);
  for (const double number : x) squares += number * number;
  return static_cast<double>(std::log(sum) - a[label] + lambda * squares);
}

void expect_gradient_by_differences(const Mlp<double>& mlp, int client, std::vector<double> x, Index step) {
  std::vector<double> g(x.size());
  mlp.local_value(client, x, g);
  double scale = 0;
  for (const double number : g) scale = std::max(scale, std::abs(number));
  for (std::size_t j = 0; j < x.size(); j += step) {
    const double h = 1e-6, middle = x[j];
    x[j] = middle + h;
    const double up = mlp.local_value(client, x);
    x[j] = middle - h;
    const double down = mlp.local_value(client, x);
    x[j] = middle;
    EXPECT_NEAR((up - down) / (2 * h), g[j], 1e-6 * std::max(scale, std::abs(g[j])) + 1e-9) << j;
  }
}

TEST(Mlp, DimensionAndLayout) {
  const Mlp<float> mlp(blobs(4, 784, 10), dealt(4, 1), {.hidden = {256}});
  EXPECT_EQ(mlp.dimension(), 203530);
  const Mlp<float> deep(blobs(4, 7, 3), dealt(4, 1), {.hidden = {5, 4}});
  EXPECT_EQ(deep.dimension(), 7 * 5 + 5 + 5 * 4 + 4 + 4 * 3 + 3);
  EXPECT_EQ(deep.layers()[1].weights, 40);
  EXPECT_EQ(deep.layers()[1].biases, 60);
  const Mlp<float> flat(blobs(4, 7, 3), dealt(4, 1), {});
  EXPECT_EQ(flat.dimension(), 7 * 3 + 3);
}

TEST(Mlp, ValueIsTheFormulaInPlainLoops) {
  const Images images = blobs(12, 9, 4);
  for (const auto& hidden : std::vector<std::vector<Index>>{{}, {6}, {40}, {8, 5}, {30, 20, 10}}) {
    const Mlp<double> mlp(images, dealt(12, 3), {.hidden = hidden, .lambda = 0.01});
    const auto x = start_of(mlp);
    for (int client = 0; client < 3; ++client) {
      double mean = 0;
      for (Index sample = 0; sample < mlp.samples(client); ++sample) {
        const Index row = mlp.row(client, sample);
        EXPECT_EQ(row, client + 3 * sample);
        std::vector<long double> a(9);
        for (int j = 0; j < 9; ++j) a[j] = images.pixels[row * 9 + j] / 255.0L;
        const double loss = naive_loss(mlp, a, images.labels[row], 0.01, x);
        EXPECT_NEAR(mlp.value(client, std::vector<Index>{sample}, x, {}), loss, 1e-13 * loss);
        mean += loss / 4;
      }
      EXPECT_NEAR(mlp.local_value(client, x), mean, 1e-13 * mean);
    }
  }
}

TEST(Mlp, GradientAgreesWithCentralDifferences) {
  const auto scalings = {PixelScaling::none, PixelScaling::unit, PixelScaling::standardise};
  for (const PixelScaling scaling : scalings)
    for (const auto& hidden : std::vector<std::vector<Index>>{{}, {5}, {17}, {6, 4}, {9, 8, 7}})
      for (const double lambda : {0.0, 0.05}) {
        const Mlp<double> mlp(blobs(40, 6, 3), dealt(40, 2),
                              {.hidden = hidden, .lambda = lambda, .scaling = scaling});
        auto x = start_of(mlp);
        if (scaling == PixelScaling::none)  // pixels in the hundreds: keep the softmax off its flat ends
          for (Index k = 0; k < mlp.layers()[0].biases; ++k) x[k] /= 255;
        expect_gradient_by_differences(mlp, 1, x, 1);
      }
}

TEST(Mlp, GradientAgreesWithCentralDifferencesAtFullSize) {
  const Mlp<double> mlp(blobs(20, 784, 10), dealt(20, 1), {.hidden = {256}, .lambda = 1e-3});
  expect_gradient_by_differences(mlp, 0, start_of(mlp), 4099);
}

TEST(Mlp, ABatchIsTheMeanOfItsSamples) {
  const Mlp<double> mlp(blobs(700, 30, 5), dealt(700, 1), {.hidden = {20}, .lambda = 0.01});
  const auto x = start_of(mlp);
  std::vector<double> g(x.size()), one(x.size()), mean(x.size());
  for (const Index size : {1, 2, 3, 7, 256, 257, 600}) {  // 256 are worked on at a time
    std::vector<Index> batch(size);
    for (Index k = 0; k < size; ++k) batch[k] = k * 3 % 100 == 0 ? 5 : k;  // some more than once
    const double value = mlp.value(0, batch, x, g);
    EXPECT_DOUBLE_EQ(mlp.value(0, batch, x, {}), value);
    double mean_value = 0;
    std::fill(mean.begin(), mean.end(), 0);
    for (const Index sample : batch) {
      mean_value += mlp.value(0, std::vector<Index>{sample}, x, one) / static_cast<double>(size);
      for (std::size_t j = 0; j < x.size(); ++j) mean[j] += one[j] / static_cast<double>(size);
    }
    EXPECT_NEAR(value, mean_value, 1e-13 * mean_value);
    for (std::size_t j = 0; j < x.size(); ++j) EXPECT_NEAR(g[j], mean[j], 1e-13) << j;
  }
}

TEST(Mlp, SoftmaxStandsHugeLogits) {
  const Mlp<float> mlp(blobs(30, 8, 3), dealt(30, 1), {.hidden = {6}});
  auto x = start_of(mlp);
  for (float& number : x) number *= 1e15f;
  std::vector<float> g(x.size());
  EXPECT_TRUE(std::isfinite(mlp.local_value(0, x, g)));
  for (const float number : g) EXPECT_TRUE(std::isfinite(number));
}

TEST(Mlp, ANumberThatIsNoneDoesNotHide) {
  const Mlp<float> mlp(blobs(30, 8, 3), dealt(30, 1), {.hidden = {6}});
  auto x = start_of(mlp);
  x[3] = std::nanf("");
  EXPECT_TRUE(std::isnan(mlp.local_value(0, x)));
}

TEST(Mlp, Float32IsNearFloat64) {
  const MlpSetting setting{.hidden = {64, 32}, .lambda = 1e-4};
  const Mlp<float> rough(blobs(100, 50, 10), dealt(100, 1), setting);
  const Mlp<double> fine(blobs(100, 50, 10), dealt(100, 1), setting);
  const auto x = start_of(rough);
  const auto y = start_of(fine);
  std::vector<float> g(x.size());
  std::vector<double> h(y.size());
  for (std::size_t j = 0; j < x.size(); ++j) EXPECT_NEAR(x[j], y[j], 1e-6 * std::abs(y[j]));
  EXPECT_NEAR(rough.local_value(0, x, g), fine.local_value(0, y, h), 1e-5);
  for (std::size_t j = 0; j < x.size(); ++j) EXPECT_NEAR(g[j], h[j], 1e-5);
}

TEST(Mlp, StartIsSharedHeNormalAndDependsOnTheSeed) {
  const Mlp<double> mlp(blobs(4, 784, 10), dealt(4, 1), {.hidden = {256}});
  std::vector<double> x(mlp.dimension(), 7), same(x), other(x);
  mlp.start(1, x);
  mlp.start(1, same);
  mlp.start(2, other);
  EXPECT_EQ(x, same);
  EXPECT_NE(x[0], other[0]);
  EXPECT_NE(x[0] * std::sqrt(784.0),
            x[mlp.layers()[1].weights] * std::sqrt(256.0));  // each layer draws its own
  for (const auto& layer : mlp.layers()) {
    double squares = 0;
    const Index count = layer.in * layer.out;
    for (Index k = 0; k < count; ++k) squares += x[layer.weights + k] * x[layer.weights + k];
    const double expected = 2.0 / static_cast<double>(layer.in);
    EXPECT_NEAR(squares / static_cast<double>(count), expected, 6 * expected * std::sqrt(2.0 / count));
    for (Index k = 0; k < layer.out; ++k) EXPECT_EQ(x[layer.biases + k], 0);
  }
}

// Three images of three pixels, the last the same in all: one unit of weight on a pixel tells its feature.
TEST(Mlp, ScalingTurnsPixelsIntoFeatures) {
  Images images{"by hand", 1, 1, 3, 2, {0, 10, 77, 255, 20, 77, 51, 60, 77}, {0, 1, 0}};
  const double feature[3][2][3] = {{{0, 10, 77}, {255, 20, 77}},
                                   {{0, 10 / 255., 77 / 255.}, {1, 20 / 255., 77 / 255.}},
                                   {{-102 / std::sqrt(12138.), -20 / std::sqrt(1400 / 3.), 0},
                                    {153 / std::sqrt(12138.), -10 / std::sqrt(1400 / 3.), 0}}};
  int kind = 0;
  for (const PixelScaling scaling : {PixelScaling::none, PixelScaling::unit, PixelScaling::standardise}) {
    const Mlp<double> mlp(images, dealt(3, 1), {.hidden = {}, .scaling = scaling});
    for (Index j = 0; j < 3; ++j)
      for (Index sample = 0; sample < 2; ++sample) {
        std::vector<double> x(mlp.dimension());
        x[j] = 0.01;  // z_0 = 0.01 · feature, z_1 = 0
        const double z = 0.01 * feature[kind][sample][j];
        const double expected = std::log(std::exp(z) + 1) - (images.labels[sample] == 0 ? z : 0);
        EXPECT_NEAR(mlp.value(0, std::vector<Index>{sample}, x, {}), expected, 1e-15) << kind << j << sample;
      }
    ++kind;
  }
}

TEST(Mlp, AccuracyIsTheShareOfRightClassesAndScalesAsTraining) {
  Images images{"by hand", 1, 1, 1, 2, {0, 100, 200}, {0, 1, 1}};
  Mlp<double> mlp(images, dealt(3, 1), {.hidden = {}, .scaling = PixelScaling::standardise});
  const std::vector<double> x = {-1, 1, 0, 0};  // class 1 where the pixel is above the training mean 100
  EXPECT_TRUE(std::isnan(mlp.accuracy(x)));
  mlp.set_test(Images{"by hand", 1, 1, 1, 2, {101, 110, 99, 255}, {1, 0, 0, 1}});
  EXPECT_DOUBLE_EQ(mlp.accuracy(x), 0.75);
}

TEST(Mlp, ManyTestImagesAreTakenInParts) {
  Images train, test;
  make_blobs({3000, 16, 4, 0.3}, 5, train, test);
  ASSERT_EQ(test.count(), 600);
  Mlp<double> mlp(train, dealt(3000, 1), {.hidden = {12}});
  const auto x = start_of(mlp);
  mlp.set_test(test);
  const double all = mlp.accuracy(x);
  Index right = 0;
  for (Index row = 0; row < 600; ++row) {
    mlp.set_test(Images{"one",
                        1,
                        1,
                        16,
                        4,
                        {test.pixels.begin() + row * 16, test.pixels.begin() + row * 16 + 16},
                        {test.labels[row]}});
    right += mlp.accuracy(x) == 1;
  }
  EXPECT_DOUBLE_EQ(all, static_cast<double>(right) / 600);
}

// Results must not depend on where a run's vectors happen to lie, nor on the thread.
template <class Real>
void expect_same_bits_everywhere(const std::vector<Index>& hidden, Index features, Index batch_size) {
  const Mlp<Real> mlp(blobs(50, features, 3), dealt(50, 1), {.hidden = hidden, .lambda = 0.01});
  const auto start = start_of(mlp);
  std::vector<Index> batch(batch_size);
  std::iota(batch.begin(), batch.end(), 0);
  std::vector<Real> expected(start.size());
  const double value = mlp.value(0, batch, start, expected);
  Threads threads(3);
  threads.each(16, [&](Index offset) {
    std::vector<Real> x(start.size() + 16), g(start.size() + 16);
    std::copy(start.begin(), start.end(), x.begin() + offset);
    const std::span<Real> out = std::span(g).subspan((offset * 7) % 16, start.size());
    const double again = mlp.value(0, batch, std::span<const Real>(x).subspan(offset, start.size()), out);
    EXPECT_EQ(again, value) << offset;
    EXPECT_EQ(std::memcmp(out.data(), expected.data(), out.size_bytes()), 0)
        << "offset " << offset << ", batch " << batch_size << ", features " << features;
  });
}

TEST(Mlp, SameBitsWhereverTheVectorsLie) {
  for (const Index batch : {1, 2, 5, 16, 50})
    for (const Index features : {1, 3, 6, 40}) {
      for (const auto& hidden : std::vector<std::vector<Index>>{{}, {1}, {5}, {9, 33}}) {
        expect_same_bits_everywhere<float>(hidden, features, batch);
        expect_same_bits_everywhere<double>(hidden, features, batch);
      }
    }
  for (const Index batch : {1, 16}) expect_same_bits_everywhere<float>({256}, 784, batch);
}

TEST(Mlp, PlainDescentLearnsTheBlobs) {
  Images train, test;
  make_blobs({600, 64, 10, 0.3}, 2, train, test);
  Mlp<float> mlp(train, dealt(600, 1), {.hidden = {32}, .lambda = 1e-5});
  mlp.set_test(test);
  std::vector<float> x(mlp.dimension()), g(x.size());
  mlp.start(1, x);
  EXPECT_LT(mlp.accuracy(x), 0.5);
  std::vector<Index> batch(16);
  for (int step = 0; step < 800; ++step) {
    Random random(1, Purpose::batch, 0, step);
    for (Index& sample : batch) sample = static_cast<Index>(random.below(600));
    mlp.value(0, batch, x, g);
    for (std::size_t j = 0; j < x.size(); ++j) x[j] -= 0.1f * g[j];
  }
  EXPECT_GT(mlp.accuracy(x), 0.8);
}

TEST(Mlp, BlobsDependOnTheSeedAndTheirFirstImagesNotOnTheirNumber) {
  const Images few = blobs(10, 12, 3, 4), many = blobs(30, 12, 3, 4), other = blobs(10, 12, 3, 5);
  EXPECT_TRUE(std::equal(few.pixels.begin(), few.pixels.end(), many.pixels.begin()));
  EXPECT_TRUE(std::equal(few.labels.begin(), few.labels.end(), many.labels.begin()));
  EXPECT_NE(few.pixels, other.pixels);
}

// What a user's settings make, and the sentences for what they cannot.
class MlpKind : public ::testing::Test {
 protected:
  MlpKind() {
    problem_.set("name", "mlp");
    for (const Option& option : kind_.options)
      if (option.fallback) problem_.set(option.name, *option.fallback);
    clients_.set("count", std::int64_t{4});
    clients_.set("partition", std::string("iid"));
  }

  std::string complaint() {
    try {
      kind_.make<double>(request());
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  bool complains(const std::string& words) {
    const std::string said = complaint();
    const bool found = said.find(words) != said.npos;
    EXPECT_TRUE(found) << said;
    return found;
  }

  const ProblemKind kind_ = kind_named(problem_kinds(), named("mlp"), "name");
  ProblemRequest request() {
    return {problem_, clients_, 1, {0, static_cast<int>(clients_.integer("count"))}, alone_};
  }

  Settings problem_{"problem"}, clients_{"clients"};
  Processes alone_;

 private:
  static Settings named(const std::string& name) {
    Settings settings("problem");
    settings.set("name", name);
    return settings;
  }
};

TEST_F(MlpKind, MakesAProblemWithoutAnyFile) {
  const auto made = kind_.make<float>(request());
  const Problem<float>& problem = *made.problem;
  EXPECT_EQ(problem.clients(), 4);
  EXPECT_EQ(problem.samples(0), 500);
  EXPECT_EQ(problem.dimension(), 64 * 256 + 256 + 256 * 10 + 10);
  std::vector<float> x(problem.dimension());
  problem.start(1, x);
  EXPECT_FALSE(std::isnan(problem.accuracy(x)));
  EXPECT_TRUE(made.notices.empty());
}

TEST_F(MlpKind, TheListHiddenIsTheLayers) {
  const auto dimension = [&](List hidden) {
    problem_.set("hidden", std::move(hidden));
    return kind_.make<float>(request()).problem->dimension();
  };
  EXPECT_EQ(dimension({}), 64 * 10 + 10);
  EXPECT_EQ(dimension({7, 5}), 64 * 7 + 7 + 7 * 5 + 5 + 5 * 10 + 10);
}

TEST_F(MlpKind, RefusesWhatCannotBe) {
  clients_.set("count", std::int64_t{2001});
  complains("2001 clients cannot share 2000 samples");
  clients_.set("count", std::int64_t{4});
  problem_.set("hidden", List{1000000, 1000000});
  complains("1e+12 parameters");
  problem_.set("hidden", List{256});
  problem_.set("size", std::int64_t{1'000'000'000});
  complains("too many");
  problem_.set("data", std::string("nowhere"));
  complains("nowhere");
}

TEST_F(MlpKind, RefusesImagesThatDoNotFit) {
  Images odd = blobs(4, 6, 3);
  odd.labels[2] = 3;
  EXPECT_THROW((Mlp<float>(odd, dealt(4, 1), {})), Error);
  Mlp<float> mlp(blobs(4, 6, 3), dealt(4, 1), {});
  EXPECT_THROW(mlp.set_test(blobs(4, 7, 3)), Error);
  EXPECT_THROW(mlp.set_test(odd), Error);
}

}  // namespace
}  // namespace doc2s
