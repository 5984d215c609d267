// SPDX-License-Identifier: Apache-2.0
#include "single_image_file.hpp"

#include <filesystem>

#include "catalogue.hpp"
#include "data/files.hpp"
#include "data/image_readers.hpp"
#include "doc2s/base/error.hpp"

namespace fs = std::filesystem;

namespace doc2s {

namespace {

using Part = DataFile::Part;
using Form = DataSet::Form;

const char* const packings[] = {"", ".gz", ".bz2", ".xz", ".zst"};

std::string plain_name(const std::string& path) {
  const fs::path name = fs::path(path).filename();
  for (const char* packing : packings)
    if (*packing && name.extension() == packing) return name.stem().string();
  return name.string();
}

// The set and the file with this upstream name.
struct Known {
  const DataSet* set = nullptr;
  const DataFile* file = nullptr;
};

Known known_file(const std::string& name) {
  for (const auto& set : catalogue())
    for (const auto& file : set.files)
      if (set.has_images() && file.name == name) return {&set, &file};
  return {};
}

bool is_cifar(const Known& known) { return known.set && known.set->form != Form::idx; }

const CifarLayout& layout_of(const DataSet& set) {
  return set.form == Form::cifar10 ? cifar10_layout : cifar100_layout;
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  if (const auto at = text.rfind(from); at != text.npos) text.replace(at, from.size(), to);
}

// …-images-idx3-… belongs to …-labels-idx1-… in the same folder.
std::string labels_beside(const std::string& images) {
  const std::string name = plain_name(images);
  std::string labels = name;
  replace(labels, "images", "labels");
  replace(labels, "idx3", "idx1");
  if (labels == name)
    throw Error("the name of the labels file cannot be derived from this name", images,
                "name the files …-images-idx3-ubyte and …-labels-idx1-ubyte");
  for (const char* packing : packings) {
    const fs::path path = fs::path(images).parent_path() / (labels + packing);
    std::error_code unreachable;
    if (fs::is_regular_file(path, unreachable)) return path.string();
  }
  throw Error(fmt::format("the labels file {} is not in the same folder", labels), images);
}

ImageData read_cifar_file(const std::string& path) {
  const std::string bytes = read_whole(path);
  const Known known = known_file(plain_name(path));
  CifarLayout layout = is_cifar(known) ? layout_of(*known.set) : cifar10_layout;
  if (!is_cifar(known)) {
    const bool ten = bytes.size() % cifar10_layout.record() == 0;
    const bool hundred = bytes.size() % cifar100_layout.record() == 0;
    if (ten == hundred)
      throw Error(
          fmt::format(
              "this is no file of images: neither IDX, nor a tar archive, nor whole records of CIFAR-10 "
              "(3,073 bytes) or CIFAR-100 (3,074) alone, at {} bytes",
              grouped(bytes.size())),
          path);
    layout = ten ? cifar10_layout : cifar100_layout;
  }
  ImageData data;
  append_cifar(bytes, path, layout, data.train);
  return data;
}

ImageData read_archive(const std::string& path) {
  ImageData data;
  std::map<std::string, std::string> members = archived_image_files(path);
  for (const auto& set : catalogue()) {
    if (set.archive.empty() || data.train.count() > 0) continue;
    for (const auto& file : set.files)
      if (const auto member = members.find(file.name); member != members.end())
        append_cifar(member->second, path + ":" + file.name, layout_of(set),
                     file.part == Part::train ? data.train : data.test);
  }
  if (data.train.count() == 0)
    throw Error("the archive holds no training images under CIFAR's upstream names", path);
  return data;
}

}  // namespace

std::map<std::string, std::string> archived_image_files(const std::string& archive) {
  std::map<std::string, std::string> members;
  read_members(archive, [&](const std::string& member) -> TakePiece {
    const std::string name = fs::path(member).filename().string();
    if (!is_cifar(known_file(name))) return nullptr;
    if (members.contains(name)) throw Error(fmt::format("the archive holds {} twice", name), archive);
    std::string& bytes = members[name];
    return [&bytes](std::string_view piece) { bytes += piece; };
  });
  return members;
}

ImageData read_single_image_file(const std::string& path) {
  const std::string start = read_start(path, 512);
  if (start.size() == 512 && start.compare(257, 5, "ustar") == 0) return read_archive(path);
  const Known known = known_file(plain_name(path));
  const bool idx_name = known.set && known.set->form == Form::idx;
  const bool idx_start = start.starts_with({"\0\0\x08\x03", 4}) || start.starts_with({"\0\0\x08\x01", 4});
  if (is_cifar(known) || !(idx_name || idx_start)) return read_cifar_file(path);
  ImageData data;
  data.train = read_idx(path, labels_beside(path), idx_name ? 10 : 0);
  return data;
}

}  // namespace doc2s
