// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace doc2s {

// Checks the trailer of a gzip file, which libarchive does not: CRC-32 and length (mod 2³²) of the
// uncompressed data in the last eight bytes. Files with several members (bgzip, concatenation) only have the
// checks of inflate.
class GzipCheck {
 public:
  void packed(std::string_view bytes);    // bytes of the file, in order; the first piece has at least eight
  void unpacked(std::string_view bytes);  // uncompressed bytes, in order
  bool sound() const;

 private:
  std::uint32_t length_ = 0;  // mod 2³²
  std::uint32_t crc_ = 0;
  std::string last_;              // last bytes of the file, at most eight
  bool several_members_ = false;  // a second member header was seen
};

}  // namespace doc2s
