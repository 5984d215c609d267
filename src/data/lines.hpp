// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

namespace doc2s {

// The first `c` in [at, end), or nullptr.
inline const char* find_char(const char* at, const char* end, char c) {
  return at == end ? nullptr
                   : static_cast<const char*>(std::memchr(at, c, static_cast<std::size_t>(end - at)));
}

// Cuts a text file that comes in pieces, cut anywhere, into lines without their '\n'.
class Lines {
 public:
  explicit Lines(const std::string& path) {
    std::error_code unknown;
    const auto length = std::filesystem::file_size(path, unknown);
    if (!unknown) file_length_ = static_cast<double>(length);
  }

  template <class ReadLine>  // void(const char* at, const char* end)
  void take(std::string_view piece, ReadLine read_line) {
    const char* at = piece.data();
    const char* end = at + piece.size();
    while (const char* stop = find_char(at, end, '\n')) {
      if (begun_.empty()) {
        read_line(at, stop);
      } else {
        begun_.append(at, stop);
        finish(read_line);
      }
      at = stop + 1;
    }
    begun_.append(at, end);
  }

  // Reads the line that has begun, if any.
  template <class ReadLine>
  void finish(ReadLine read_line) {
    if (begun_.empty()) return;
    read_line(begun_.data(), begun_.data() + begun_.size());
    begun_.clear();
  }

  // How many such pieces the file holds, at most 10⁴: repeated growing would take longer than reading.
  double pieces_like(std::string_view piece) const {
    return std::min(file_length_ / static_cast<double>(piece.size()), 1e4);
  }

 private:
  std::string begun_;       // the start of a line that continues in the next piece
  double file_length_ = 0;  // stored bytes; 0: unknown
};

}  // namespace doc2s
