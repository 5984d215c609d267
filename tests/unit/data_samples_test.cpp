// SPDX-License-Identifier: Apache-2.0
#include "data/samples.hpp"

#include <cmath>
#include <limits>

#include "data/synthetic.hpp"
#include "data_testing.hpp"

namespace doc2s {
namespace {

using data_testing::error_of, data_testing::says;

Samples labelled(std::vector<double> labels) {
  Samples samples;
  samples.source = "some/file";
  samples.offsets.assign(labels.size() + 1, 0);
  samples.labels = std::move(labels);
  return samples;
}

using Labels = std::vector<double>;

TEST(LabelSigns, SignsStayWithoutNotice) {
  Samples samples = labelled({1, -1, 1});
  map_labels_to_signs(samples);
  EXPECT_EQ(samples.labels, (Labels{1, -1, 1}));
  EXPECT_EQ(samples.notice, "");
}

TEST(LabelSigns, ZeroOneAndOneTwoAreMappedAndSaid) {
  Samples zero_one = labelled({0, 1, 1, 0});
  EXPECT_EQ(map_labels_to_signs(zero_one).positive, 1);
  EXPECT_EQ(zero_one.labels, (Labels{-1, 1, 1, -1}));
  EXPECT_EQ(zero_one.notice, "labels 0/1 were mapped to -1/+1");
  Samples one_two = labelled({1, 2, 1});
  one_two.notice = "earlier";
  EXPECT_EQ(map_labels_to_signs(one_two).positive, 2);
  EXPECT_EQ(one_two.labels, (Labels{-1, 1, -1}));
  EXPECT_EQ(one_two.notice, "earlier; labels 1/2 were mapped to -1/+1");
}

TEST(LabelSigns, OneClassAlone) {
  for (const auto& [label, sign] : {std::pair{1., 1.}, {-1., -1.}, {0., -1.}, {2., 1.}}) {
    Samples samples = labelled({label, label});
    map_labels_to_signs(samples);
    EXPECT_EQ(samples.labels, (Labels{sign, sign})) << label;
  }
}

TEST(LabelSigns, ATestSetFollowsItsTrainingSet) {
  Samples train = labelled({1, 2}), test = labelled({1, 1}), other = labelled({1, 0});
  const LabelPair pair = map_labels_to_signs(train);
  map_labels_to_signs(test, pair);
  EXPECT_EQ(test.labels, (Labels{-1, -1}));
  const Error error = error_of([&] { map_labels_to_signs(other, pair); });
  EXPECT_TRUE(says(error, "label 0 of sample 2") && says(error, "must be 1/2")) << error.what();
}

TEST(LabelSigns, OthersAreRefusedWithPlaceAndLabelsSeen) {
  Samples samples = labelled({1, 2, 3, 2});
  const Error error = error_of([&] { map_labels_to_signs(samples); });
  EXPECT_EQ(error.where(), "some/file");
  EXPECT_TRUE(says(error, "the label 3 of sample 3")) << error.what();
  EXPECT_TRUE(says(error, "labels seen: 1, 2, 3;")) << error.what();
  EXPECT_TRUE(says(error, "-1/+1 or 0/1 or 1/2")) << error.what();
  EXPECT_EQ(samples.labels, (Labels{1, 2, 3, 2}));
  for (const Labels& labels : {Labels{-1, 0}, {0, 2}, {-1, 2}, {0.5}, {1, -1, 0}}) {
    Samples wrong = labelled(labels);
    EXPECT_THROW(map_labels_to_signs(wrong), Error);
  }
}

TEST(LabelSigns, ManyLabelsGiveAShortMessage) {
  Labels labels(1000);
  for (std::size_t k = 0; k < labels.size(); ++k) labels[k] = static_cast<double>(k);
  Samples samples = labelled(labels);
  const Error error = error_of([&] { map_labels_to_signs(samples); });
  EXPECT_TRUE(says(error, "labels seen: 0, 1, 2, 3, 4, 5, 6, 7, …")) << error.what();
}

bool same(const Samples& a, const Samples& b) {
  return a.columns == b.columns && a.values == b.values && a.labels == b.labels && a.offsets == b.offsets;
}

TEST(Synthetic, HasTheShapeAskedFor) {
  const Samples samples = make_synthetic({300, 40, 0.25, 0.1}, 7);
  EXPECT_EQ(samples.source, "synthetic");
  EXPECT_EQ(samples.count(), 300);
  EXPECT_EQ(samples.dimension, 40);
  ASSERT_EQ(samples.offsets.size(), 301u);
  for (Index row = 0; row < samples.count(); ++row) {
    ASSERT_EQ(samples.offsets[row + 1] - samples.offsets[row], 10);
    EXPECT_EQ(std::abs(samples.labels[row]), 1);
    double squares = 0;
    for (Index k = samples.offsets[row]; k < samples.offsets[row + 1]; ++k) {
      squares += samples.values[k] * samples.values[k];
      ASSERT_TRUE(samples.columns[k] >= 0 && samples.columns[k] < 40);
      ASSERT_TRUE(k == samples.offsets[row] || samples.columns[k - 1] < samples.columns[k]);
    }
    EXPECT_NEAR(squares, 1, 1e-14);
  }
}

TEST(Synthetic, IsAFunctionOfShapeAndSeed) {
  const SyntheticShape shape;
  EXPECT_TRUE(same(make_synthetic(shape, 1), make_synthetic(shape, 1)));
  EXPECT_FALSE(same(make_synthetic(shape, 1), make_synthetic(shape, 2)));
}

TEST(Synthetic, ColumnsAreUsedEvenlyAndClassesAreBalanced) {
  const Samples samples = make_synthetic({20000, 20, 0.2, 0.05}, 3);
  std::vector<double> uses(20);
  for (const auto column : samples.columns) uses[column] += 1.0 / 20000;
  for (const double share : uses) EXPECT_NEAR(share, 0.2, 0.015);  // five standard errors
  double positive = 0;
  for (const double label : samples.labels) positive += label > 0 ? 1.0 / 20000 : 0;
  EXPECT_NEAR(positive, 0.5, 0.02);
}

TEST(Synthetic, NoiseFlipsItsShareOfLabels) {
  const Samples clean = make_synthetic({20000, 30, 0.3, 0}, 5),
                noisy = make_synthetic({20000, 30, 0.3, 0.2}, 5);
  EXPECT_EQ(clean.values, noisy.values);
  double flipped = 0;
  for (Index row = 0; row < clean.count(); ++row) flipped += clean.labels[row] != noisy.labels[row] ? 1 : 0;
  EXPECT_NEAR(flipped / 20000, 0.2, 0.015);
}

// Without noise a perceptron finds a separating hyperplane through zero.
TEST(Synthetic, CleanLabelsAreSeparable) {
  const Samples samples = make_synthetic({60, 10, 0.5, 0}, 11);
  std::vector<double> x(10);
  bool mistake = true;
  for (int pass = 0; pass < 20000 && mistake; ++pass) {
    mistake = false;
    for (Index row = 0; row < samples.count(); ++row) {
      double margin = 0;
      for (Index k = samples.offsets[row]; k < samples.offsets[row + 1]; ++k)
        margin += samples.labels[row] * samples.values[k] * x[samples.columns[k]];
      if (margin > 0) continue;
      mistake = true;
      for (Index k = samples.offsets[row]; k < samples.offsets[row + 1]; ++k)
        x[samples.columns[k]] += samples.labels[row] * samples.values[k];
    }
  }
  EXPECT_FALSE(mistake);
}

TEST(Synthetic, ExtremeShapesWork) {
  EXPECT_EQ(make_synthetic({1, 1, 1, 0}, 1).values.size(), 1u);
  EXPECT_EQ(make_synthetic({3, 1000, 1e-9, 0}, 1).values.size(), 3u);
  EXPECT_EQ(make_synthetic({3, 7, 1, 0.49}, 1).values.size(), 21u);
}

TEST(Synthetic, BadShapesAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](SyntheticShape shape, const char* word) {
    const Error error = error_of([&] { make_synthetic(shape, 1); });
    EXPECT_TRUE(says(error, word)) << error.what();
  };
  refused({0, 5, 0.5, 0}, "size is 0");
  refused({5, 0, 0.5, 0}, "dimension is 0");
  refused({5, Index{1} << 31, 0.5, 0}, "dimension is 2147483648");
  refused({5, 5, 0, 0}, "sparsity is 0");
  refused({5, 5, 1.5, 0}, "sparsity is 1.5");
  refused({5, 5, nan, 0}, "sparsity is nan");
  refused({5, 5, 0.5, 0.6}, "noise is 0.6");
  refused({5, 5, 0.5, -0.1}, "noise is -0.1");
  refused({Index{1} << 62, 1000, 1, 0}, "too many");
}

}  // namespace
}  // namespace doc2s
