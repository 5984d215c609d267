// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <functional>

#include "files.hpp"
#include "unpacker.hpp"

namespace doc2s {

// Iterates over the files in an archive that a derived class opens.
class MemberReader {
 public:
  void each(const std::function<TakePiece(const std::string&)>& wanted);

 protected:
  explicit MemberReader(const std::string& path);

  archive* reader() { return archive_.get(); }
  int check(int result);
  [[noreturn]] void fail(const char* reason);

  std::exception_ptr failure_;  // exceptions must not pass through libarchive

 private:
  archive_entry* next_entry();
  void check_readable(archive_entry* entry, const std::string& member);
  void read(const TakePiece& take);

  std::string path_;
  Archive archive_;
};

}  // namespace doc2s
