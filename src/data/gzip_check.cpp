#include "gzip_check.hpp"

#include <algorithm>
#include <array>

namespace doc2s {

namespace {

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

// CRC-32 of IEEE 802.3 (polynomial 0xedb88320, reflected); table k advances k more bytes.
constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t byte = 0; byte < 256; ++byte)
      tables[k][byte] = tables[k - 1][byte] >> 8 ^ tables[0][tables[k - 1][byte] & 0xff];
  return tables;
}
constexpr Tables tables = make_tables();

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
  return byte_at(bytes, at) | byte_at(bytes, at + 1) << 8 | byte_at(bytes, at + 2) << 16 |
         byte_at(bytes, at + 3) << 24;
}

std::uint32_t extended_crc(std::uint32_t crc, std::string_view bytes) {
  crc = ~crc;
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    const std::uint32_t low = crc ^ little_endian(bytes, at);
    crc = tables[7][low & 0xff] ^ tables[6][low >> 8 & 0xff] ^ tables[5][low >> 16 & 0xff] ^
          tables[4][low >> 24] ^ tables[3][byte_at(bytes, at + 4)] ^ tables[2][byte_at(bytes, at + 5)] ^
          tables[1][byte_at(bytes, at + 6)] ^ tables[0][byte_at(bytes, at + 7)];
  }
  for (; at < bytes.size(); ++at) crc = crc >> 8 ^ tables[0][(crc ^ byte_at(bytes, at)) & 0xff];
  return ~crc;
}

// Magic, method deflate, no reserved flag.
bool has_member_header(std::string_view bytes, std::size_t from) {
  for (auto at = bytes.find("\x1f\x8b\x08", from); at != bytes.npos; at = bytes.find("\x1f\x8b\x08", at + 1))
    if (at + 3 < bytes.size() && (byte_at(bytes, at + 3) & 0xe0) == 0) return true;
  return false;
}

}  // namespace

void GzipCheck::packed(std::string_view bytes) {
  const bool first = last_.empty();
  const std::string seam = last_ + std::string(bytes.substr(0, 3));  // a header may straddle two pieces
  if ((!first && has_member_header(seam, 0)) || has_member_header(bytes, first ? 1 : 0))
    several_members_ = true;
  last_ += bytes.substr(bytes.size() - std::min<std::size_t>(8, bytes.size()));
  last_.erase(0, last_.size() - std::min<std::size_t>(8, last_.size()));
}

void GzipCheck::unpacked(std::string_view bytes) {
  crc_ = extended_crc(crc_, bytes);
  length_ += static_cast<std::uint32_t>(bytes.size());
}

bool GzipCheck::sound() const {
  // The trailer describes only the last of several members, and a second header may be a coincidence.
  if (several_members_ && last_.size() == 8 && little_endian(last_, 4) != length_) return true;
  return last_.size() == 8 && little_endian(last_, 0) == crc_ && little_endian(last_, 4) == length_;
}

}  // namespace doc2s
