#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace doc2s {

// SHA-256 (FIPS 180-4) of bytes that come in pieces.
class Sha256 {
 public:
  Sha256& add(std::string_view bytes);
  std::string hex() const;  // 64 digits, of what was added so far
  std::uint64_t length() const { return length_; }

 private:
  void block(const char* bytes);  // 64 of them

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<char, 64> waiting_{};  // the first length_ mod 64 bytes wait for the rest of their block
  std::uint64_t length_ = 0;
};

}  // namespace doc2s
