// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "images.hpp"

namespace doc2s {

// Images and labels in MNIST's IDX format, big-endian: magic 2051, count, height, width, one byte per pixel;
// magic 2049, count, one byte per label. `classes` 0: the largest label + 1.
Images read_idx(const std::string& images_path, const std::string& labels_path, int classes);

// Records of label bytes and 3 × 32 × 32 pixel values. CIFAR-10 has one label; CIFAR-100 has a coarse and a
// fine one, and the fine one is used.
struct CifarLayout {
  int label_bytes;
  int classes;

  std::size_t record() const { return static_cast<std::size_t>(label_bytes) + 3072; }
};
constexpr CifarLayout cifar10_layout{1, 10}, cifar100_layout{2, 100};

// `where`: name of the file, for messages.
void append_cifar(std::string_view bytes, const std::string& where, const CifarLayout& layout,
                  Images& images);

// 12345678 as "12,345,678"
std::string grouped(std::uint64_t number);

}  // namespace doc2s
