// SPDX-License-Identifier: Apache-2.0
#include "files.hpp"

#include "base/long_work.hpp"
#include "source.hpp"
#include "unpacker.hpp"

namespace doc2s {

void read_pieces(const std::string& path, const TakePiece& take) {
  const LongWork work("reading " + path);
  Unpacker file(path);
  for (std::string_view piece = file.next(); !piece.empty(); piece = file.next()) {
    work.go_on();
    take(piece);
  }
}

std::string read_whole(const std::string& path) {
  std::string bytes;
  read_pieces(path, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

std::string read_plain(const std::string& path) {
  const LongWork work("reading " + path);
  Source file(path);
  std::string bytes;
  for (std::string_view piece = file.next(); !piece.empty(); piece = file.next()) {
    work.go_on();
    bytes += piece;
  }
  file.check();
  return bytes;
}

std::string read_start(const std::string& path, std::size_t most) {
  std::string start;
  Unpacker file(path);
  while (start.size() < most) {
    const std::string_view piece = file.next();
    if (piece.empty()) break;
    start += piece.substr(0, most - start.size());
  }
  return start;
}

}  // namespace doc2s
