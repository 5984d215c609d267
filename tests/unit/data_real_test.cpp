// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "catalogue/catalogue.hpp"
#include "catalogue/image_files.hpp"
#include "data/libsvm.hpp"
#include "data_testing.hpp"
#include "partition/partition.hpp"

// The published data sets themselves, where DOC2S_DATA leads to them.
namespace doc2s {
namespace {

Index positives(const Samples& samples) {
  return std::count_if(samples.labels.begin(), samples.labels.end(), [](double label) { return label == 1; });
}

void expect_figures(const Samples& samples, Index rows, Index positive, Index dimension, Index entries) {
  EXPECT_EQ(samples.count(), rows);
  EXPECT_EQ(positives(samples), positive);
  EXPECT_EQ(samples.dimension, dimension);
  EXPECT_EQ(std::ssize(samples.columns), entries);
}

// The files of a data set, or nothing where DOC2S_DATA is not set or does not hold it.
std::optional<DataFiles> files_of(const std::string& name) {
  if (!std::getenv("DOC2S_DATA")) return std::nullopt;
  try {
    return find_data(name);
  } catch (const Error&) {
    return std::nullopt;
  }
}

TEST(RealData, A9a) {
  const auto files = files_of("a9a");
  if (!files) GTEST_SKIP() << "DOC2S_DATA does not lead to a9a";
  Samples train = read_libsvm(files->train);
  expect_figures(train, 32561, 7841, 123, 451592);
  EXPECT_TRUE(std::all_of(train.values.begin(), train.values.end(), [](double value) { return value == 1; }));
  map_labels_to_signs(train);
  EXPECT_EQ(train.notice, "");
  if (files->test.empty()) GTEST_SKIP() << "DOC2S_DATA has no a9a.t";
  expect_figures(read_libsvm(files->test), 16281, 3846, 122, 225731);
  EXPECT_EQ(read_libsvm(files->test, train.dimension).dimension, 123);
}

TEST(RealData, Rcv1) {
  const auto files = files_of("rcv1");
  if (!files) GTEST_SKIP() << "DOC2S_DATA does not lead to rcv1";
  const Samples train = read_libsvm(files->train);
  EXPECT_EQ(train.dimension, 47236);
  if (files->notice.empty()) {
    EXPECT_EQ(train.count(), 20242);
    return;
  }
  expect_figures(train, 12412, 6113, 47236, 935119);
  for (Index row = 0; row < train.count(); ++row) {
    double squares = 0;
    for (Index k = train.offsets[row]; k < train.offsets[row + 1]; ++k)
      squares += train.values[k] * train.values[k];
    ASSERT_NEAR(squares, 1, 1e-4) << row;
  }
}

// Images of the published files, or of what stands in for them, with each class present.
TEST(RealData, Images) {
  int read = 0;
  for (const auto& set : catalogue()) {
    if (!set.has_images() || !std::getenv("DOC2S_DATA") || find_set(set).files.empty()) continue;
    const ImageData data = read_images(set.name);
    const bool grey = set.form == DataSet::Form::idx;
    EXPECT_EQ(data.train.features(), grey ? 784 : 3072) << set.name;
    EXPECT_EQ(data.train.classes, set.form == DataSet::Form::cifar100 ? 100 : 10);
    EXPECT_EQ(data.train.count() % 10000, 0) << set.name;
    EXPECT_EQ(std::ssize(data.train.pixels), data.train.count() * data.train.features());
    std::vector<int> seen(data.train.classes);
    for (const int label : data.train.labels) ++seen[label];
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 0), 0) << set.name;
    EXPECT_EQ(data.notices.empty(), find_set(set).complete) << set.name;
    ++read;
  }
  if (read == 0) GTEST_SKIP() << "DOC2S_DATA does not lead to images";
}

TEST(RealData, A9aIsSplitOver16Clients) {
  const auto files = files_of("a9a");
  if (!files) GTEST_SKIP() << "DOC2S_DATA does not lead to a9a";
  const Samples train = read_libsvm(files->train);
  for (const auto& kind : partition_kinds()) {
    Settings settings("clients");
    settings.set("partition", kind.name);
    for (const auto& option : kind.options) settings.set(option.name, *option.fallback);
    std::string notice;
    Index rows = 0;
    for (const auto& share : make_partition({train.labels, 16, 1}, settings, notice))
      rows += std::ssize(share);
    EXPECT_EQ(rows, 32561) << kind.name;
    EXPECT_EQ(notice, "");
  }
}

}  // namespace
}  // namespace doc2s
