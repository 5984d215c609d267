// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "doc2s/base/error.hpp"

namespace doc2s {

// Real data compresses to about a tenth. A small file that unpacks to gigabytes is a decompression bomb or
// all zeros.
class Growth {
 public:
  Growth(const std::string& path, std::int64_t packed) : path_(path), most_(allowed(packed)) {}

  void add(std::size_t unpacked) {
    unpacked_ += static_cast<std::int64_t>(unpacked);
    if (unpacked_ > most_)
      throw Error(fmt::format("the file decompresses to more than {} times its size", most_growth), path_,
                  "if this is intended, decompress it first");
  }

 private:
  static constexpr std::int64_t most_growth = 100, always_allowed = 16 << 20;

  static std::int64_t allowed(std::int64_t packed) {  // < 0: unknown, so any
    return packed < 0 ? INT64_MAX : always_allowed + most_growth * packed;
  }

  std::string path_;
  std::int64_t most_, unpacked_ = 0;  // bytes
};

}  // namespace doc2s
