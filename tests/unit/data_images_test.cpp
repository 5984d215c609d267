// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "catalogue/catalogue.hpp"
#include "catalogue/image_files.hpp"
#include "data/files.hpp"
#include "data_testing.hpp"

namespace doc2s {
namespace {

using data_testing::error_of, data_testing::packed, data_testing::says, data_testing::tar,
    data_testing::Variable;

std::string word(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
  return bytes;
}

std::string pixels_of(std::size_t count, int salt = 0) {
  std::string bytes;
  for (std::size_t k = 0; k < count; ++k)
    bytes += static_cast<char>(k * 7 + k / 256 + static_cast<std::size_t>(salt));
  return bytes;
}

std::string idx_images(std::uint32_t count, std::uint32_t height = 2, std::uint32_t width = 3) {
  return word(2051) + word(count) + word(height) + word(width) + pixels_of(count * height * width);
}

std::string idx_labels(const std::string& labels) {
  return word(2049) + word(static_cast<std::uint32_t>(labels.size())) + labels;
}

std::string cifar_record(const std::string& labels, int salt = 0) { return labels + pixels_of(3072, salt); }

std::string batch(char label, int records = 1) {
  std::string bytes;
  for (int k = 0; k < records; ++k) bytes += cifar_record(std::string(1, label), k);
  return bytes;
}

const char* const packings[] = {"", "gzip", "bzip2", "xz", "zstd"};

std::string maybe_packed(const std::string& bytes, const char* filter) {
  return *filter ? packed(bytes, filter) : bytes;
}

bool has_notice(const ImageData& data, const std::string& words) {
  for (const auto& notice : data.notices)
    if (notice.find(words) != notice.npos) return true;
  return false;
}

class ImagesTest : public data_testing::Scratch {
 protected:
  ImagesTest()
      : data_("DOC2S_DATA", path("data").c_str()),
        share_("XDG_DATA_HOME", nullptr),
        home_("HOME", path("home").c_str()) {}

  // Images and labels as files beside each other; the images' path.
  std::string idx_pair(const std::string& images, const std::string& labels) {
    write("idx/train-labels-idx1-ubyte", labels);
    return write("idx/train-images-idx3-ubyte", images);
  }

  void expect_refused(const std::string& file, const std::vector<std::string>& words) {
    const Error error = error_of([&] { read_images(file); });
    for (const auto& each : words) EXPECT_TRUE(says(error, each)) << each << " not in: " << error.what();
  }

 private:
  Variable data_, share_, home_;
};

TEST_F(ImagesTest, IdxPlainOrPackedByContent) {
  for (const char* filter : packings) {
    const auto file =
        idx_pair(maybe_packed(idx_images(3), filter), maybe_packed(idx_labels({4, 0, 9}), filter));
    const ImageData data = read_images(file);
    EXPECT_EQ(data.train.source, file);
    EXPECT_EQ(data.train.channels, 1);
    EXPECT_EQ(data.train.height, 2);
    EXPECT_EQ(data.train.width, 3);
    EXPECT_EQ(data.train.classes, 10);
    EXPECT_EQ(data.train.labels, (std::vector<int>{4, 0, 9}));
    EXPECT_EQ(std::string(data.train.pixels.begin(), data.train.pixels.end()), pixels_of(18)) << filter;
    EXPECT_EQ(data.test.count(), 0);
  }
}

TEST_F(ImagesTest, IdxCutAtEveryByteIsRefused) {
  const std::string images = idx_images(3), labels = idx_labels({4, 0, 9});
  for (std::size_t length = 0; length < images.size(); ++length)
    expect_refused(idx_pair(images.substr(0, length), labels),
                   {"train-images-idx3-ubyte", "truncated", "byte " + std::to_string(length)});
  for (std::size_t length = 0; length < labels.size(); ++length)
    expect_refused(idx_pair(images, labels.substr(0, length)),
                   {"train-labels-idx1-ubyte", "truncated", "byte " + std::to_string(length)});
}

TEST_F(ImagesTest, MalformedIdxIsRefusedWithTheFigure) {
  const std::string images = idx_images(3), labels = idx_labels({4, 0, 9});
  expect_refused(idx_pair(images + "xy", labels), {"2 bytes follow the last of 3 images", "byte 34"});
  expect_refused(idx_pair(images, labels + "x"), {"1 bytes follow the last of 3 labels", "byte 11"});
  expect_refused(idx_pair(images, idx_labels({4, 0})), {"2 labels for the 3 images"});
  expect_refused(idx_pair(images, idx_labels({4, 10, 9})),
                 {"label 10 of record 2 (byte 9)", "not below 10, the number of classes"});
  expect_refused(idx_pair(labels, labels), {"IDX file of labels", "expected images"});
  expect_refused(idx_pair(images, images), {"train-labels", "IDX file of images"});
  expect_refused(idx_pair("not an idx file at all", labels), {"not an IDX file", "2051"});
  expect_refused(idx_pair(word(2051) + word(0) + word(2) + word(3), labels), {"no images"});
  expect_refused(idx_pair(word(2051) + word(1) + word(0) + word(3), labels), {"side of 0"});
}

// Counts whose product overflows, or that would take all memory, are compared with the bytes there are.
TEST_F(ImagesTest, AHostileHeaderAllocatesNothing) {
  const std::string labels = idx_labels({1});
  const std::uint32_t most = 0xffffffff;
  expect_refused(idx_pair(word(2051) + word(most) + word(65535) + word(65535) + "x", labels), {"truncated"});
  expect_refused(idx_pair(word(2051) + word(most) + word(most) + word(most), labels),
                 {"side of 4,294,967,295"});
  expect_refused(idx_pair(word(2051) + word(0x80000000) + word(1) + word(2) + "xy", labels), {"truncated"});
  expect_refused(idx_pair(idx_images(1), word(2049) + word(most) + "x"),
                 {"truncated", "4,294,967,295 labels"});
}

TEST_F(ImagesTest, OtherIdxNamesTakeTheirClassesFromTheLabels) {
  write("emnist-labels-idx1-ubyte.gz", packed(idx_labels({1, 26}), "gzip"));
  EXPECT_EQ(read_images(write("emnist-images-idx3-ubyte", idx_images(2))).train.classes, 27);
  expect_refused(write("lonely-images-idx3-ubyte", idx_images(2)),
                 {"lonely-labels-idx1-ubyte", "not in the same folder"});
  expect_refused(write("nameless", idx_images(2)), {"labels", "name"});
}

TEST_F(ImagesTest, ADirectoryOfIdx) {
  write("set/train-images-idx3-ubyte.gz", packed(idx_images(3), "gzip"));
  write("set/train-labels-idx1-ubyte.xz", packed(idx_labels({0, 1, 2}), "xz"));
  ImageData data = read_images(path("set"));
  EXPECT_EQ(data.train.count(), 3);
  EXPECT_EQ(data.test.count(), 0);
  EXPECT_TRUE(has_notice(data, "no test set"));
  write("set/t10k-images-idx3-ubyte", idx_images(2));
  write("set/t10k-labels-idx1-ubyte", idx_labels({5, 6}));
  data = read_images(path("set"));
  EXPECT_EQ(data.test.labels, (std::vector<int>{5, 6}));
  EXPECT_TRUE(data.notices.empty());
  write("set/t10k-images-idx3-ubyte", idx_images(2, 3, 3));
  expect_refused(path("set"), {"3x3", "2x3"});
  std::filesystem::remove(path("set/train-labels-idx1-ubyte.xz"));
  expect_refused(path("set"), {"train-labels-idx1-ubyte is missing"});
}

TEST_F(ImagesTest, ANameLooksInTheUsualPlaces) {
  expect_refused("mnist", {"\"mnist\" was not found", "doc2s data get mnist", path("data/mnist")});
  write("data/mnist/train-images-idx3-ubyte", idx_images(2));
  write("data/mnist/train-labels-idx1-ubyte", idx_labels({3, 4}));
  const ImageData data = read_images("mnist");
  EXPECT_EQ(data.train.labels, (std::vector<int>{3, 4}));
  EXPECT_TRUE(has_notice(data, "2 training images, the published ones 60,000"));
}

TEST_F(ImagesTest, OtherNamesAreRefused) {
  expect_refused("a9a", {"not images", "mnist, fashion-mnist, cifar10, cifar100"});
  expect_refused("synthetic", {"not images"});
  expect_refused("fashon-mnist", {"did you mean \"fashion-mnist\"?"});
  expect_refused("", {"empty"});
  expect_refused(path("nowhere"), {"nowhere"});
  std::filesystem::create_directories(path("hollow"));
  expect_refused(path("hollow"), {"hollow", "no images"});
  expect_refused(write("text.txt", "hello"), {"text.txt", "no file of images"});
}

TEST_F(ImagesTest, Cifar10Records) {
  const auto file = write("data_batch_1.bin", cifar_record("\x03", 1) + cifar_record("\x09", 2));
  const Images train = read_images(file).train;
  EXPECT_EQ(train.channels, 3);
  EXPECT_EQ(train.height, 32);
  EXPECT_EQ(train.width, 32);
  EXPECT_EQ(train.classes, 10);
  EXPECT_EQ(train.labels, (std::vector<int>{3, 9}));
  EXPECT_EQ(std::string(train.pixels.begin(), train.pixels.end()), pixels_of(3072, 1) + pixels_of(3072, 2));
}

TEST_F(ImagesTest, Cifar100TakesTheFineLabel) {
  const auto file = write("train.bin.gz", packed(cifar_record("\x13\x63") + cifar_record({0, 42}), "gzip"));
  const Images train = read_images(file).train;
  EXPECT_EQ(train.classes, 100);
  EXPECT_EQ(train.labels, (std::vector<int>{99, 42}));
  expect_refused(write("train.bin", cifar_record("\x14\x01")),
                 {"label 20 of record 1", "not below 20, the number of classes"});
  expect_refused(write("train.bin", cifar_record("\x01\x02") + cifar_record("\x01\x64")),
                 {"label 100 of record 2 (byte 3,075)", "not below 100, the number of classes"});
}

TEST_F(ImagesTest, CifarUnderOtherNamesIsToldByLength) {
  EXPECT_EQ(read_images(write("some", batch(7, 2))).train.classes, 10);
  EXPECT_EQ(read_images(write("some", cifar_record("\x01\x02"))).train.classes, 100);
  expect_refused(write("some", batch(7, 2) + "x"), {"no file of images", "6,147 bytes"});
}

TEST_F(ImagesTest, CifarCutAnywhereIsRefused) {
  const std::string bytes = batch(1, 2);
  for (std::size_t length = 0; length < bytes.size(); length += length < 3 || length > 6140 ? 1 : 61)
    if (length % 3073 != 0 || length == 0)
      expect_refused(write("data_batch_1.bin", bytes.substr(0, length)),
                     {"data_batch_1.bin", length ? "byte " : "empty"});
  expect_refused(write("data_batch_1.bin", bytes.substr(0, 5000)), {"byte 5,000, within record 2 of 3,073"});
  expect_refused(write("data_batch_1.bin", batch(1) + batch(10)), {"label 10 of record 2 (byte 3,073)"});
}

TEST_F(ImagesTest, AFewBatchesAreReadWithANotice) {
  write("data/cifar10/data_batch_1.bin.xz", packed(batch(1, 3), "xz"));
  ImageData data = read_images("cifar10");
  EXPECT_TRUE(has_notice(data, "1 of 5 training batches of cifar10 is installed: 3 of 50,000 images"));
  EXPECT_TRUE(has_notice(data, "test images of cifar10 are not installed"));
  write("data/cifar10/data_batch_4.bin", batch(4));
  write("data/cifar10/test_batch.bin", batch(6));
  data = read_images("cifar10");
  EXPECT_TRUE(has_notice(data, "2 of 5 training batches of cifar10 are installed: 4 of 50,000 images"));
  EXPECT_FALSE(has_notice(data, "not installed"));
  EXPECT_EQ(data.train.labels, (std::vector<int>{1, 1, 1, 4}));
  EXPECT_EQ(data.test.labels, (std::vector<int>{6}));
}

TEST_F(ImagesTest, StandInsOfCifar100SayWhatTheyAre) {
  write("data/cifar100/train_10000.bin", cifar_record("\x01\x02"));
  write("data/cifar100/test_2000.bin", cifar_record("\x01\x03"));
  const ImageData data = read_images("cifar100");
  EXPECT_TRUE(has_notice(data, "the first 10,000 of the 50,000 training images"));
  EXPECT_TRUE(has_notice(data, "the first 2,000 of the 10,000 test images"));
  EXPECT_FALSE(has_notice(data, "batches"));
}

// The official archive does not hold the batches in their order.
std::vector<std::pair<std::string, std::string>> official_cifar10() {
  const std::string folder = "cifar-10-batches-bin/";
  return {{folder + "data_batch_1.bin", batch(1)}, {folder + "batches.meta.txt", "airplane\n"},
          {folder + "data_batch_3.bin", batch(3)}, {folder + "data_batch_4.bin", batch(4)},
          {folder + "test_batch.bin", batch(6)},   {folder + "readme.html", "<p>"},
          {folder + "data_batch_5.bin", batch(5)}, {folder + "data_batch_2.bin", batch(2)}};
}

TEST_F(ImagesTest, TheOfficialArchives) {
  for (const auto& [suffix, filter] : {std::pair{".tar.gz", "gzip"}, {".tar", ""}, {".tar.xz", "xz"}}) {
    const auto file =
        write(std::string("data/cifar10/cifar-10-binary") + suffix, tar(official_cifar10(), filter));
    for (const std::string& name : {std::string("cifar10"), path("data/cifar10"), file}) {
      const ImageData data = read_images(name);
      EXPECT_EQ(data.train.labels, (std::vector<int>{1, 2, 3, 4, 5})) << name;
      EXPECT_EQ(data.test.labels, (std::vector<int>{6})) << name;
      EXPECT_TRUE(data.notices.empty()) << data.notices[0];
    }
    std::filesystem::remove(file);
  }
  write("data/cifar100/cifar-100-binary.tar.gz",
        tar({{"cifar-100-binary/test.bin", cifar_record("\x01\x03")},
             {"cifar-100-binary/train.bin", cifar_record("\x01\x02")}},
            "gzip"));
  const ImageData hundred = read_images("cifar100");
  EXPECT_EQ(hundred.train.labels, (std::vector<int>{2}));
  EXPECT_EQ(hundred.test.labels, (std::vector<int>{3}));
}

TEST_F(ImagesTest, AnArchiveWithoutSomeFiles) {
  auto files = official_cifar10();
  files.erase(files.begin() + 2, files.begin() + 5);
  write("data/cifar10/cifar-10-binary.tar.gz", tar(files, "gzip"));
  const ImageData data = read_images("cifar10");
  EXPECT_EQ(data.train.labels, (std::vector<int>{1, 2, 5}));
  EXPECT_TRUE(has_notice(data, "3 of 5 training batches"));
  EXPECT_TRUE(has_notice(data, "test images of cifar10 are not installed"));
  write("data/cifar10/cifar-10-binary.tar.gz", tar({{"readme.html", "<p>"}}, "gzip"));
  expect_refused("cifar10", {"no training images", "cifar-10-binary.tar.gz"});
}

TEST_F(ImagesTest, ADamagedArchiveIsRefused) {
  const std::string plain = tar(official_cifar10(), "");
  for (const std::size_t length : {700, 4000, 10000, 20000})
    expect_refused(write("some.tar", plain.substr(0, length)),
                   {"some.tar", "archive is damaged or truncated"});
  const std::string gzip = tar(official_cifar10(), "gzip");
  for (std::size_t length = 40; length + 20 < gzip.size(); length += 97)
    EXPECT_THROW(read_images(write("data/cifar10/cifar-10-binary.tar.gz", gzip.substr(0, length))), Error)
        << length;
  std::string flipped = gzip;  // no damage passes for data: gzip's checksum is looked at
  for (std::size_t byte = 20; byte < gzip.size(); byte += 13) {
    flipped[byte] = static_cast<char>(flipped[byte] ^ 4);
    EXPECT_THROW(read_images(write("data/cifar10/cifar-10-binary.tar.gz", flipped)), Error) << byte;
    flipped[byte] = gzip[byte];
  }
  auto twice = official_cifar10();
  twice.push_back(twice.front());
  expect_refused(write("some.tar", tar(twice, "")), {"data_batch_1.bin twice"});
  auto odd = official_cifar10();
  odd[0].second += "x";
  expect_refused(write("some.tar", tar(odd, "")), {"some.tar:data_batch_1.bin", "within record 2"});
}

TEST_F(ImagesTest, ReadStartReadsNoMore) {
  const auto file = write("long.gz", packed(pixels_of(100000), "gzip").substr(0, 5000));
  EXPECT_EQ(read_start(file, 10), pixels_of(10));
  EXPECT_EQ(read_start(write("short", "abc"), 10), "abc");
}

}  // namespace
}  // namespace doc2s
