#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace doc2s {

// libarchive unpacks gzip without looking at its checksum, so that a flipped bit could pass for data. This
// looks: the last eight bytes of the file hold CRC-32 and length (mod 2³²) of what was packed. Files of
// several members (bgzip, concatenation) keep only the checks of inflate itself.
class GzipCheck {
 public:
  void packed(std::string_view bytes);    // of the file, in order, the first piece at least eight
  void unpacked(std::string_view bytes);  // of the text, in order
  bool sound() const;

 private:
  std::uint32_t length_ = 0;  // mod 2³²
  std::uint32_t crc_ = 0;
  std::string last_;              // bytes of the file, at most eight
  bool several_members_ = false;  // another member's header was seen
};

}  // namespace doc2s
