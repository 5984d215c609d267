#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace doc2s {

// Incremental SHA-256 (FIPS 180-4).
class Sha256 {
 public:
  Sha256& add(std::string_view bytes);
  std::string hex() const;  // 64 digits; more bytes may be added later
  std::uint64_t length() const { return length_; }

 private:
  void block(const char* bytes);  // 64 bytes

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<char, 64> waiting_{};  // the first length_ mod 64 bytes are an incomplete block
  std::uint64_t length_ = 0;
};

}  // namespace doc2s
