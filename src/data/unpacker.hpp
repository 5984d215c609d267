// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <archive.h>
#include <archive_entry.h>

#include <memory>
#include <string>
#include <string_view>

#include "growth.hpp"
#include "source.hpp"

namespace doc2s {

using Archive = std::unique_ptr<archive, int (*)(archive*)>;

// The bytes of a file in pieces, decompressed if needed. Throws Error if it is damaged or truncated.
class Unpacker {
 public:
  explicit Unpacker(const std::string& path);

  std::string_view next();  // empty only at the end, after the stream has been verified

 private:
  bool packed() const { return archive_filter_code(archive_.get(), 0) != ARCHIVE_FILTER_NONE; }
  bool gzip() const { return archive_filter_code(archive_.get(), 0) == ARCHIVE_FILTER_GZIP; }
  void check_end();
  int check(int result);
  [[noreturn]] void fail(const char* reason);

  std::string path_;
  Source source_;
  Archive archive_;
  Growth growth_;
  bool ended_ = false;
};

}  // namespace doc2s
