// SPDX-License-Identifier: Apache-2.0
#include "gzip_check.hpp"

#include <zlib.h>

#include <algorithm>

namespace doc2s {

namespace {

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
  return byte_at(bytes, at) | byte_at(bytes, at + 1) << 8 | byte_at(bytes, at + 2) << 16 |
         byte_at(bytes, at + 3) << 24;
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
  const std::string seam = last_ + std::string(bytes.substr(0, 3));  // a header may lie across two pieces
  if ((!first && has_member_header(seam, 0)) || has_member_header(bytes, first ? 1 : 0))
    several_members_ = true;
  last_ += bytes.substr(bytes.size() - std::min<std::size_t>(8, bytes.size()));
  last_.erase(0, last_.size() - std::min<std::size_t>(8, last_.size()));
}

void GzipCheck::unpacked(std::string_view bytes) {
  if (bytes.empty()) return;  // zlib takes a null pointer for a fresh start
  crc_ = static_cast<std::uint32_t>(
      crc32_z(crc_, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
  length_ += static_cast<std::uint32_t>(bytes.size());
}

bool GzipCheck::sound() const {
  // with several members the trailer speaks of the last alone; that there seem to be several may be chance
  if (several_members_ && last_.size() == 8 && little_endian(last_, 4) != length_) return true;
  return last_.size() == 8 && little_endian(last_, 0) == crc_ && little_endian(last_, 4) == length_;
}

}  // namespace doc2s
