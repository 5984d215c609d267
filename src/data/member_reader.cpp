// SPDX-License-Identifier: Apache-2.0
#include "member_reader.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace doc2s {

MemberReader::MemberReader(const std::string& path)
    : path_(path), archive_(archive_read_new(), archive_read_free) {
  if (!archive_) throw MachineError("out of memory");
}

void MemberReader::each(const std::function<TakePiece(const std::string&)>& wanted) {
  while (archive_entry* entry = next_entry()) {
    const char* name = archive_entry_pathname(entry);
    if (!name || archive_entry_filetype(entry) != AE_IFREG) continue;
    if (const TakePiece take = wanted(name)) {
      check_readable(entry, name);
      read(take);
    }
  }
}

archive_entry* MemberReader::next_entry() {
  archive_entry* entry = nullptr;
  const int result = archive_read_next_header(archive_.get(), &entry);
  if (result == ARCHIVE_WARN) return entry;  // e.g. for a name in another character set
  return check(result) == ARCHIVE_EOF ? nullptr : entry;
}

// Other ways to pack a member of a .zip than the usual two reserve memory because a header says so.
void MemberReader::check_readable(archive_entry* entry, const std::string& member) {
  if (archive_entry_sparse_reset(entry) > 0) fail("sparse tar members are not supported");
  if (archive_entry_is_encrypted(entry))
    throw Error(fmt::format("its member {} is encrypted", printable(member)), path_,
                "save it without a password");
  const std::string_view format = archive_format_name(archive_.get());
  if (format.starts_with("ZIP") && !format.ends_with("(uncompressed)") && !format.ends_with("(deflation)"))
    throw Error(fmt::format("its member {} is packed in an unusual way, {}", printable(member), format),
                path_, "store or deflate it, as numpy.savez and numpy.savez_compressed do");
}

void MemberReader::read(const TakePiece& take) {
  const void* data = nullptr;
  std::size_t size = 0;
  la_int64_t offset = 0;
  while (check(archive_read_data_block(archive_.get(), &data, &size, &offset)) != ARCHIVE_EOF)
    if (size > 0) take({static_cast<const char*>(data), size});
}

int MemberReader::check(int result) {
  if (failure_) std::rethrow_exception(failure_);
  if (result == ARCHIVE_OK || result == ARCHIVE_EOF) return result;
  fail(archive_error_string(archive_.get()));
}

void MemberReader::fail(const char* reason) {
  throw Error(fmt::format("the archive is damaged or truncated ({})", reason ? reason : "no reason given"),
              path_, "copy or fetch it again");
}

}  // namespace doc2s
