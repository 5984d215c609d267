#include <fmt/format.h>

#include <exception>

#include "files.hpp"
#include "unpacker.hpp"

namespace doc2s {

namespace {

// A tar reader on top of Unpacker, which verifies the compressed stream.
class Members {
 public:
  explicit Members(const std::string& path)
      : path_(path), file_(path), archive_(archive_read_new(), archive_read_free) {
    if (!archive_) throw MachineError("out of memory");
    archive_read_support_format_tar(archive_.get());
    archive_read_support_format_empty(archive_.get());
    check(archive_read_open(archive_.get(), this, nullptr, next_piece, nullptr));
  }

  void each(const std::function<TakePiece(const std::string&)>& wanted) {
    while (archive_entry* entry = next_entry()) {
      const char* name = archive_entry_pathname(entry);
      if (!name || archive_entry_filetype(entry) != AE_IFREG) continue;
      if (const TakePiece take = wanted(name)) {
        if (archive_entry_sparse_reset(entry) > 0) fail("sparse tar members are not supported");
        read(take);
      }
    }
    while (!file_.next().empty()) continue;
  }

 private:
  // Exceptions must not pass through libarchive.
  static la_ssize_t next_piece(archive*, void* self, const void** piece) {
    auto* members = static_cast<Members*>(self);
    try {
      const std::string_view bytes = members->file_.next();
      *piece = bytes.data();
      return static_cast<la_ssize_t>(bytes.size());
    } catch (...) {
      members->failure_ = std::current_exception();
      return ARCHIVE_FATAL;
    }
  }

  archive_entry* next_entry() {
    archive_entry* entry = nullptr;
    const int result = archive_read_next_header(archive_.get(), &entry);
    if (result == ARCHIVE_WARN) return entry;  // e.g. for a name in another character set
    return check(result) == ARCHIVE_EOF ? nullptr : entry;
  }

  void read(const TakePiece& take) {
    const void* data = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    while (check(archive_read_data_block(archive_.get(), &data, &size, &offset)) != ARCHIVE_EOF)
      if (size > 0) take({static_cast<const char*>(data), size});
  }

  int check(int result) {
    if (failure_) std::rethrow_exception(failure_);
    if (result == ARCHIVE_OK || result == ARCHIVE_EOF) return result;
    fail(archive_error_string(archive_.get()));
  }

  [[noreturn]] void fail(const char* reason) {
    throw Error(fmt::format("the archive is damaged or truncated ({})", reason ? reason : "no reason given"),
                path_, "copy or fetch it again");
  }

  std::string path_;
  Unpacker file_;
  Archive archive_;
  std::exception_ptr failure_;
};

}  // namespace

void read_members(const std::string& path,
                  const std::function<TakePiece(const std::string& member)>& wanted) {
  Members(path).each(wanted);
}

}  // namespace doc2s
