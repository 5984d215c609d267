// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "doc2s/base/error.hpp"
#include "files.hpp"
#include "image_readers.hpp"

namespace doc2s {

namespace {

using Bytes = std::vector<std::uint8_t>;

struct Idx {
  std::vector<std::uint64_t> sizes;  // count first
  Bytes values;
};

struct Layout {
  const char* items;
  std::uint32_t magic;
  std::size_t dimensions;

  std::size_t header() const { return 4 + 4 * dimensions; }
};
constexpr Layout images_layout{"images", 2051, 3}, labels_layout{"labels", 2049, 1};

std::uint32_t big_endian(const Bytes& bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t k = at; k < at + 4; ++k) word = word << 8 | bytes[k];
  return word;
}

void check_magic(std::uint32_t magic, const Layout& layout, const std::string& path) {
  if (magic == layout.magic) return;
  for (const auto& [items, other, dimensions] : {images_layout, labels_layout})
    if (magic == other)
      throw Error(fmt::format("this is an IDX file of {}, expected {}", items, layout.items), path);
  throw Error(fmt::format("this is not an IDX file of {}: it starts with {}, not with {}", layout.items,
                          magic, layout.magic),
              path);
}

[[noreturn]] void refuse_cut(std::uint64_t length, const std::string& path) {
  throw Error(fmt::format("the file is truncated: it ends at byte {}, within its header", grouped(length)),
              path, "copy or fetch it again");
}

// The file must hold as many values as the header says. Nothing is allocated before this check.
void check_length(const Idx& idx, const Layout& layout, std::uint64_t length, const std::string& path) {
  std::uint64_t item = 1;  // bytes; at most 2³² · 2¹⁶
  for (std::size_t k = 1; k < idx.sizes.size(); ++k) {
    if (idx.sizes[k] == 0 || idx.sizes[k] > 65535)
      throw Error(fmt::format("the header says that images have a side of {} pixels", grouped(idx.sizes[k])),
                  path);
    item *= idx.sizes[k];
  }
  const std::uint64_t body = length - layout.header(), whole = body / item, count = idx.sizes[0];
  if (count == 0) throw Error(fmt::format("the header says that there are no {}", layout.items), path);
  if (whole < count)
    throw Error(
        fmt::format("the file is truncated: of {} {} the last whole one is {}, and it ends at byte {}",
                    grouped(count), layout.items, grouped(whole), grouped(length)),
        path, "copy or fetch it again");
  if (body > count * item)
    throw Error(fmt::format("{} bytes follow the last of {} {}, at byte {}", grouped(body - count * item),
                            grouped(count), layout.items, grouped(layout.header() + count * item)),
                path);
}

Idx read(const std::string& path, const Layout& layout) {
  Idx idx;
  Bytes& bytes = idx.values;
  read_pieces(path, [&](std::string_view piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
  if (bytes.size() < 4) refuse_cut(bytes.size(), path);
  check_magic(big_endian(bytes, 0), layout, path);
  if (bytes.size() < layout.header()) refuse_cut(bytes.size(), path);
  for (std::size_t k = 0; k < layout.dimensions; ++k) idx.sizes.push_back(big_endian(bytes, 4 + 4 * k));
  check_length(idx, layout, bytes.size(), path);
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(layout.header()));
  return idx;
}

void check_labels(const Images& images, const std::string& path) {
  for (std::size_t k = 0; k < images.labels.size(); ++k)
    if (images.labels[k] >= images.classes)
      throw Error(
          fmt::format("label {} of record {} (byte {}) is not below {}, the number of classes",
                      images.labels[k], grouped(k + 1), grouped(labels_layout.header() + k), images.classes),
          path);
}

}  // namespace

Images read_idx(const std::string& images_path, const std::string& labels_path, int classes) {
  const Idx labels = read(labels_path, labels_layout);
  Idx pixels = read(images_path, images_layout);
  if (labels.sizes[0] != pixels.sizes[0])
    throw Error(fmt::format("there are {} labels for the {} images of {}", grouped(labels.sizes[0]),
                            grouped(pixels.sizes[0]), images_path),
                labels_path);
  Images images;
  images.source = images_path;
  images.height = static_cast<int>(pixels.sizes[1]);
  images.width = static_cast<int>(pixels.sizes[2]);
  images.labels.assign(labels.values.begin(), labels.values.end());
  images.classes = classes ? classes : *std::max_element(images.labels.begin(), images.labels.end()) + 1;
  check_labels(images, labels_path);
  images.pixels = std::move(pixels.values);
  return images;
}

}  // namespace doc2s
