// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "doc2s/base/error.hpp"
#include "gzip_check.hpp"

namespace doc2s {

// An open file, read as stored, in large pieces.
class Source {
 public:
  explicit Source(const std::string& path) : path_(path), file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0) throw_system_error("the file cannot be opened", path, errno);
    struct stat status {};
    if (fstat(file_, &status) == 0 && S_ISDIR(status.st_mode)) {
      close(file_);
      throw Error("this is a directory, not a file", path);
    }
  }
  ~Source() { close(file_); }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  // Returns full pieces except the last, also from a pipe. Empty at the end and after an error, which check()
  // throws.
  std::string_view next() {
    std::size_t filled = 0;
    while (filled < buffer_.size() && !failure_) {
      const ssize_t got = read(file_, buffer_.data() + filled, buffer_.size() - filled);
      if (got == 0) break;
      if (got > 0) filled += static_cast<std::size_t>(got);
      if (got < 0 && errno != EINTR) failure_ = errno;
    }
    const std::string_view piece(buffer_.data(), filled);
    if (length_ == 0) start_ = piece.substr(0, 8);
    length_ += static_cast<std::int64_t>(filled);
    if (start_.starts_with("\x1f\x8b")) gzip.packed(piece);
    return piece;
  }

  void check() const {
    if (failure_) throw_system_error("the file cannot be read", path_, failure_);
  }
  const std::string& start() const { return start_; }  // first bytes, at most 8
  std::int64_t length() const { return length_; }      // bytes read so far

  GzipCheck gzip;

 private:
  std::string path_;
  int file_;
  int failure_ = 0;
  std::int64_t length_ = 0;
  std::string start_;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 18);
};

}  // namespace doc2s
