// SPDX-License-Identifier: Apache-2.0
#include "image_files.hpp"

#include <filesystem>
#include <map>

#include "base/text.hpp"
#include "catalogue.hpp"
#include "data/files.hpp"
#include "data/image_readers.hpp"
#include "doc2s/base/error.hpp"
#include "single_image_file.hpp"

namespace fs = std::filesystem;

namespace doc2s {

namespace {

using Part = DataFile::Part;

Index images_upstream(const DataSet& set, Part part) {
  Index sum = 0;
  for (const auto& file : set.files)
    if (file.part == part && !file.stand_in()) sum += file.records;
  return sum;
}

Images read_idx_part(const FoundSet& found, const std::string& prefix, std::vector<std::string>& notices) {
  const std::string images = prefix + "-images-idx3-ubyte", labels = prefix + "-labels-idx1-ubyte";
  const FoundFile* pixels = found.with_name(images);
  const FoundFile* classes = found.with_name(labels);
  if (pixels && classes) return read_idx(pixels->path, classes->path, 10);
  const std::string missing = fmt::format("{} is missing", pixels ? labels : images);
  if (prefix == "train") throw Error(missing, found.directory);
  notices.push_back(missing + ", so there is no test set and no accuracy");
  return {};
}

ImageData read_idx_set(const FoundSet& found) {
  ImageData data;
  data.train = read_idx_part(found, "train", data.notices);
  data.test = read_idx_part(found, "t10k", data.notices);
  if (data.test.count() > 0 && data.test.features() != data.train.features())
    throw Error(fmt::format("the test images are {}x{}, the training images {}x{}", data.test.height,
                            data.test.width, data.train.height, data.train.width),
                data.test.source);
  return data;
}

void note_missing(const DataSet& set, const std::vector<const DataFile*>& read, const ImageData& data,
                  std::vector<std::string>& notices) {
  std::size_t here = 0, upstream = 0;
  for (const auto& file : set.files) upstream += file.part == Part::train && !file.stand_in();
  for (const DataFile* file : read) {
    here += file->part == Part::train;
    if (file->stand_in()) notices.push_back(file->notice);
  }
  if (here < upstream)
    notices.push_back(fmt::format("{} of {} training batches of {} {} installed: {} of {} images", here,
                                  upstream, set.name, here == 1 ? "is" : "are", grouped(data.train.count()),
                                  grouped(images_upstream(set, Part::train))));
  if (data.test.count() == 0)
    notices.push_back(
        fmt::format("the test images of {} are not installed, so there is no accuracy", set.name));
}

ImageData read_cifar_set(const DataSet& set, const FoundSet& found) {
  const auto& layout = set.form == DataSet::Form::cifar10 ? cifar10_layout : cifar100_layout;
  std::map<std::string, std::string> members;
  if (found.files.front().archived) members = archived_image_files(found.files.front().path);
  ImageData data;
  std::vector<const DataFile*> read;
  for (const auto& [file, path, archived] : found.files) {
    const auto member = members.find(file->name);
    if (archived && member == members.end()) continue;
    const std::string bytes = archived ? std::move(member->second) : read_whole(path);
    append_cifar(bytes, archived ? path + ":" + file->name : path, layout,
                 file->part == Part::train ? data.train : data.test);
    if (archived) members.erase(member);
    read.push_back(file);
  }
  if (data.train.count() == 0)
    throw Error(fmt::format("the archive holds no training images of {}", set.name),
                found.files.front().path);
  note_missing(set, read, data, data.notices);
  return data;
}

ImageData read_set(const DataSet& set, const FoundSet& found) {
  return set.form == DataSet::Form::idx ? read_idx_set(found) : read_cifar_set(set, found);
}

// Notes files of a known set that are intact but shorter or longer than published.
void note_odd_counts(const DataSet& set, const FoundSet& found, ImageData& data) {
  for (const Part part : {Part::train, Part::test}) {
    Index published = 0;
    for (const auto& here : found.files)
      if (here.file->part == part) published += here.file->records;
    if (set.form == DataSet::Form::idx) published /= 2;  // images and labels
    const Images& images = part == Part::train ? data.train : data.test;
    if (images.count() > 0 && images.count() != published && !found.files.front().archived)
      data.notices.push_back(fmt::format(
          "these files of {} have {} {} images, the published ones {}; see `doc2s data check {}`", set.name,
          grouped(images.count()), part == Part::train ? "training" : "test", grouped(published), set.name));
  }
}

ImageData read_named(const DataSet& set) {
  if (!set.has_images())
    throw Error(fmt::format("\"{}\" holds samples of sparse features, not images", set.name), "",
                "choose one of " + joined(set_names(true)) + ", or the problem svm");
  const FoundSet found = find_set(set);
  if (found.files.empty()) throw_not_found(set);
  ImageData data = read_set(set, found);
  note_odd_counts(set, found, data);
  return data;
}

ImageData read_directory(const std::string& path) {
  for (const auto& set : catalogue())
    if (set.has_images())
      if (const FoundSet found = find_set_in(path, set); !found.files.empty()) return read_set(set, found);
  throw Error("this directory holds no images under their upstream names", path,
              "expected are e.g. train-images-idx3-ubyte, data_batch_1.bin, train.bin or "
              "cifar-10-binary.tar.gz, plain or compressed");
}

}  // namespace

ImageData read_images(const std::string& name_or_path) {
  if (name_or_path.empty())
    throw Error("the name of the images is empty", "", "give a data set's name or a path");
  if (const DataSet* set = data_set_named(name_or_path)) return read_named(*set);
  const std::string path = fs::absolute(name_or_path).lexically_normal().string();
  std::error_code unreachable;
  if (fs::is_directory(path, unreachable)) return read_directory(path);
  if (fs::exists(path, unreachable) || unreachable) return read_single_image_file(path);
  const auto names = set_names(true);
  throw Error(fmt::format("\"{}\" is neither a set of images nor a path: there is no {}", name_or_path, path),
              "",
              nearest(name_or_path, names).empty() ? "give a path, or one of " + joined(names)
                                                   : suggestion(name_or_path, names));
}

}  // namespace doc2s
