// SPDX-License-Identifier: Apache-2.0
#include "doc2s/base/error.hpp"
#include "image_readers.hpp"

namespace doc2s {

namespace {

void check_length(std::size_t length, const std::string& where, const CifarLayout& layout) {
  if (length == 0) throw Error("the file is empty, expected images", where);
  if (length % layout.record() != 0)
    throw Error(
        fmt::format(
            "the file is truncated or not a CIFAR-{} file: it ends at byte {}, within record {} of {} "
            "bytes",
            layout.classes, grouped(length), grouped(length / layout.record() + 1), grouped(layout.record())),
        where);
}

int checked_label(std::string_view bytes, std::size_t at, int classes, const std::string& where,
                  const CifarLayout& layout) {
  const int label = static_cast<unsigned char>(bytes[at]);
  if (label >= classes)
    throw Error(fmt::format("label {} of record {} (byte {}) is not below {}, the number of classes", label,
                            grouped(at / layout.record() + 1), grouped(at), classes),
                where);
  return label;
}

}  // namespace

void append_cifar(std::string_view bytes, const std::string& where, const CifarLayout& layout,
                  Images& images) {
  check_length(bytes.size(), where, layout);
  if (images.source.empty()) images.source = where;
  images.channels = 3;
  images.height = images.width = 32;
  images.classes = layout.classes;
  const std::size_t record = layout.record(), labels = static_cast<std::size_t>(layout.label_bytes);
  images.pixels.reserve(images.pixels.size() + bytes.size() / record * 3072);
  for (std::size_t at = 0; at < bytes.size(); at += record) {
    if (labels == 2) checked_label(bytes, at, 20, where, layout);  // coarse label
    images.labels.push_back(checked_label(bytes, at + labels - 1, layout.classes, where, layout));
    const std::string_view pixels = bytes.substr(at + labels, 3072);
    images.pixels.insert(images.pixels.end(), pixels.begin(), pixels.end());
  }
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

}  // namespace doc2s
