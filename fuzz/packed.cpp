// SPDX-License-Identifier: Apache-2.0
#include "data/files.hpp"
#include "target.hpp"

// gzip, bzip2, xz, zstd, and tar archives in them. xz and zstd declare their window size in the header.
// libarchive allows 1 GB; it is reserved but only touched as far as data is unpacked (-rss_limit_mb checks
// that).
DOC2S_FUZZ_TARGET(bytes) {
  [[maybe_unused]] static const bool allowed = doc2s::fuzz::allow_beside(std::int64_t{1200} << 20);
  static doc2s::fuzz::InputFile file;
  const std::string& path = file.filled(bytes);
  doc2s::read_members(path, [](const std::string& member) -> doc2s::TakePiece {
    if (member.ends_with(".html")) return nullptr;
    return [](std::string_view) {};
  });
  doc2s::read_whole(path);
}
