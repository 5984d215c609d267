// SPDX-License-Identifier: Apache-2.0
#include "member_reader.hpp"

namespace doc2s {

namespace {

// On top of Unpacker, which verifies the compressed stream.
class TarMembers : public MemberReader {
 public:
  explicit TarMembers(const std::string& path) : MemberReader(path), file_(path) {
    archive_read_support_format_tar(reader());
    archive_read_support_format_empty(reader());
    check(archive_read_open(reader(), this, nullptr, next_piece, nullptr));
  }

  void check_end() {
    while (!file_.next().empty()) continue;
  }

 private:
  static la_ssize_t next_piece(archive*, void* self, const void** piece) {
    auto* members = static_cast<TarMembers*>(self);
    try {
      const std::string_view bytes = members->file_.next();
      *piece = bytes.data();
      return static_cast<la_ssize_t>(bytes.size());
    } catch (...) {
      members->failure_ = std::current_exception();
      return ARCHIVE_FATAL;
    }
  }

  Unpacker file_;
};

// Reads the directory at the end, without which a truncated file would seem to hold fewer members.
class ZipMembers : public MemberReader {
 public:
  ZipMembers(const std::string& bytes, const std::string& path) : MemberReader(path) {
    archive_read_support_format_zip_seekable(reader());
    check(archive_read_open_memory(reader(), bytes.data(), bytes.size()));
  }
};

}  // namespace

void read_members(const std::string& path,
                  const std::function<TakePiece(const std::string& member)>& wanted) {
  TarMembers members(path);
  members.each(wanted);
  members.check_end();
}

void read_zip_members(const std::string& bytes, const std::string& path,
                      const std::function<TakePiece(const std::string& member)>& wanted) {
  ZipMembers(bytes, path).each(wanted);
}

}  // namespace doc2s
