// SPDX-License-Identifier: Apache-2.0
#include "catalogue/catalogue.hpp"

#include <sys/stat.h>

#include <algorithm>

#include "data/libsvm.hpp"
#include "data_testing.hpp"

namespace doc2s {
namespace {

using data_testing::error_of, data_testing::packed, data_testing::says, data_testing::Variable;

// The environment points into the scratch folder only.
class CatalogueTest : public data_testing::Scratch {
 protected:
  CatalogueTest()
      : data_("DOC2S_DATA", path("data").c_str()),
        share_("XDG_DATA_HOME", nullptr),
        home_("HOME", path("home").c_str()) {}

 private:
  Variable data_, share_, home_;
};

TEST_F(CatalogueTest, ListsWhatCanBeRead) {
  std::vector<std::string> names;
  for (const auto& set : catalogue()) names.push_back(set.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a9a", "rcv1", "mnist", "fashion-mnist", "cifar10", "cifar100",
                                             "synthetic"}));
}

TEST_F(CatalogueTest, FindsTrainAndTestPlainOrCompressed) {
  for (const char* suffix : {"", ".gz", ".bz2", ".xz", ".zst"}) {
    const auto train = write(std::string("data/a9a/a9a") + suffix, "1\n");
    EXPECT_EQ(find_data("a9a").train, train);
    EXPECT_EQ(find_data("a9a").test, "");
    const auto test = write(std::string("data/a9a/a9a.t") + suffix, "1\n");
    EXPECT_EQ(find_data("a9a").test, test);
    EXPECT_EQ(find_data("a9a").notice, "");
    std::filesystem::remove_all(folder_ / "data");
  }
}

TEST_F(CatalogueTest, FindsTheUpstreamNamesOfRcv1) {
  const auto train = write("data/rcv1/rcv1_train.binary.bz2", "");
  const auto test = write("data/rcv1/rcv1_test.binary", "");
  write("data/rcv1/rcv1_subset.svm.xz", "");
  const DataFiles files = find_data("rcv1");
  EXPECT_EQ(files.train, train);
  EXPECT_EQ(files.test, test);
  EXPECT_EQ(files.notice, "");
}

TEST_F(CatalogueTest, TheSubsetOfRcv1StandsInWithANotice) {
  const auto train = write("data/rcv1/rcv1_subset.svm.xz", "");
  const DataFiles files = find_data("rcv1");
  EXPECT_EQ(files.train, train);
  EXPECT_EQ(files.test, "");
  EXPECT_NE(files.notice.find("not rcv1_train.binary"), std::string::npos) << files.notice;
}

TEST_F(CatalogueTest, LooksInOrder) {
  const auto home = write("home/.local/share/doc2s/a9a/a9a", "");
  EXPECT_EQ(find_data("a9a").train, home);
  const auto share = write("share/doc2s/a9a/a9a.gz", "");
  const Variable set_share("XDG_DATA_HOME", path("share").c_str());
  EXPECT_EQ(find_data("a9a").train, share);
  const auto second = write("second/a9a/a9a", "");
  const Variable list("DOC2S_DATA", (path("first") + "::" + path("second")).c_str());
  EXPECT_EQ(find_data("a9a").train, second);
  const auto first = write("first/a9a/a9a.xz", "");
  EXPECT_EQ(find_data("a9a").train, first);
}

TEST_F(CatalogueTest, AFlatFolderServesToo) {
  const auto train = write("data/a9a", ""), test = write("data/a9a.t.gz", "");
  EXPECT_EQ(find_data("a9a").train, train);
  EXPECT_EQ(find_data("a9a").test, test);
}

TEST_F(CatalogueTest, SyntheticNeedsNoFile) {
  EXPECT_EQ(find_data("synthetic").train, "");
  EXPECT_TRUE(catalogue().back().built_in());
}

TEST_F(CatalogueTest, NotFoundTellsThePlacesAndTheWayOut) {
  const Error error = error_of([] { find_data("rcv1"); });
  for (const auto& place : {path("data/rcv1"), path("home/.local/share/doc2s/rcv1"),
                            std::string("/usr/share/datasets/rcv1"), std::string("rcv1_train.binary")})
    EXPECT_TRUE(says(error, place)) << error.what();
  EXPECT_TRUE(says(error, "set DOC2S_DATA")) << error.what();
  EXPECT_TRUE(says(error, "path")) << error.what();
}

TEST_F(CatalogueTest, NothingSetIsNoHarm) {
  const Variable data("DOC2S_DATA", nullptr), home("HOME", nullptr);
  EXPECT_TRUE(says(error_of([] { find_data("rcv1"); }), "/usr/share/datasets/rcv1"));
}

TEST_F(CatalogueTest, AMisspeltNameGetsASuggestion) {
  EXPECT_TRUE(says(error_of([] { find_data("a9b"); }), "did you mean \"a9a\"?"));
  EXPECT_TRUE(says(error_of([] { find_data("sintetic"); }), "did you mean \"synthetic\"?"));
  const Error error = error_of([] { find_data("some/where.svm"); });
  EXPECT_TRUE(says(error, "one of a9a, rcv1, synthetic")) << error.what();
  EXPECT_TRUE(says(error, "some/where.svm")) << error.what();
  EXPECT_TRUE(says(error_of([] { find_data(""); }), "empty"));
}

TEST_F(CatalogueTest, APathIsRelativeToHereThenToTheBase) {
  const auto in_base = write("base/sub/x.svm", "1\n");
  EXPECT_EQ(find_data(in_base).train, in_base);
  EXPECT_EQ(find_data("sub/x.svm", path("base")).train, in_base);
  EXPECT_EQ(find_data("../base/sub/x.svm", path("base")).train, in_base);
  const auto here = std::filesystem::current_path();
  write("here/sub/x.svm", "1\n");
  std::filesystem::current_path(folder_ / "here");
  const auto found = find_data("sub/x.svm", path("base")).train;
  const auto dotted = find_data("./sub/x.svm").train;
  std::filesystem::current_path(here);
  EXPECT_TRUE(std::filesystem::equivalent(found, path("here/sub/x.svm"))) << found;
  EXPECT_TRUE(std::filesystem::path(dotted).is_absolute());
  const Error error = error_of([&] { find_data("none.svm", path("base")); });
  EXPECT_TRUE(says(error, path("base/none.svm"))) << error.what();
}

TEST_F(CatalogueTest, ImagesAreNoSamples) {
  for (const char* name : {"mnist", "fashion-mnist", "cifar10", "cifar100"}) {
    const Error error = error_of([&] { find_data(name); });
    EXPECT_TRUE(says(error, std::string("\"") + name + "\" is a set of images")) << error.what();
    EXPECT_TRUE(says(error, "choose one of a9a, rcv1, synthetic")) << error.what();
  }
}

TEST_F(CatalogueTest, EveryFileIsDescribed) {
  for (const auto& set : catalogue()) {
    if (set.built_in()) continue;
    EXPECT_NE(set.page, "") << set.name;
    EXPECT_NE(set.terms, "") << set.name;
    EXPECT_FALSE(set.links.empty()) << set.name;
    for (const auto& file : set.files) {
      EXPECT_GT(file.records, 0) << file.name;
      EXPECT_TRUE(file.sha256.empty() || file.sha256.size() == 64) << file.name;
      EXPECT_EQ(file.sha256.empty(), file.bytes == 0) << file.name;
      EXPECT_EQ(file.stand_in(), !file.notice.empty()) << file.name;
    }
  }
}

TEST_F(CatalogueTest, ACompleteCopyIsTakenBeforeAPart) {
  const Variable list("DOC2S_DATA", (path("first") + ":" + path("second")).c_str());
  const DataSet& set = *data_set_named("cifar10");
  write("first/cifar10/data_batch_3.bin.xz", "");
  EXPECT_EQ(find_set(set).directory, path("first/cifar10"));
  EXPECT_EQ(find_set(set).files.size(), 1u);
  for (int k = 1; k <= 5; ++k) write("second/cifar10/data_batch_" + std::to_string(k) + ".bin", "");
  EXPECT_EQ(find_set(set).directory, path("second/cifar10"));
  EXPECT_FALSE(find_set(set).complete);
  write("second/cifar10/test_batch.bin", "");
  EXPECT_TRUE(find_set(set).complete);
}

TEST_F(CatalogueTest, AnArchiveAndItsFolderServe) {
  const DataSet& set = *data_set_named("cifar10");
  const auto archive = write("data/cifar10/cifar-10-binary.tar.gz", "");
  EXPECT_TRUE(find_set(set).complete);
  EXPECT_EQ(find_set(set).files.front().path, archive);
  EXPECT_TRUE(find_set(set).files.front().archived);
  std::filesystem::remove(archive);
  const auto batch = write("data/cifar10/cifar-10-batches-bin/data_batch_2.bin", "");
  EXPECT_EQ(find_set(set).files.front().path, batch);
}

TEST_F(CatalogueTest, AStandInOnlyWhereItsFileIsMissing) {
  const DataSet& set = *data_set_named("cifar100");
  write("data/cifar100/train_10000.bin", "");
  write("data/cifar100/test.bin", "");
  write("data/cifar100/test_2000.bin", "");
  const FoundSet found = find_set(set);
  EXPECT_TRUE(found.with_name("train_10000.bin"));
  EXPECT_TRUE(found.with_name("test.bin"));
  EXPECT_FALSE(found.with_name("test_2000.bin"));
  EXPECT_FALSE(found.complete);
}

TEST_F(CatalogueTest, DirectoriesAreRefused) {
  const Error directory = error_of([&] { find_data(folder_.string()); });
  EXPECT_TRUE(says(directory, "directory")) << directory.what();
  const auto inside = write("plain", "1\n") + "/x";
  EXPECT_THROW(find_data(inside), Error);
}

TEST_F(CatalogueTest, UnreadableFilesAreRefused) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read every file";
  const auto file = write("secret", "1\n");
  chmod(file.c_str(), 0);
  EXPECT_TRUE(says(error_of([&] { find_data(file); }), "Permission denied"));
}

}  // namespace
}  // namespace doc2s
