// SPDX-License-Identifier: Apache-2.0
#include "unpacker.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace doc2s {

namespace {

struct Packing {
  const char* name;
  std::string_view magic;
};

constexpr Packing packings[] = {
    {"gzip", {"\x1f\x8b", 2}},
    {"bzip2", {"BZh", 3}},
    {"xz", {"\xfd\x37zXZ\0", 6}},
    {"zstd", {"\x28\xb5\x2f\xfd", 4}},
};

// The compression detected from the first bytes, even if the file ends within the magic number.
const Packing* seeming_packing(std::string_view start) {
  for (const auto& packing : packings)
    if (!start.empty() && (start.starts_with(packing.magic) || packing.magic.starts_with(start)))
      return &packing;
  return nullptr;
}

la_ssize_t next_piece(archive*, void* source, const void** piece) {
  const std::string_view bytes = static_cast<Source*>(source)->next();
  *piece = bytes.data();
  return static_cast<la_ssize_t>(bytes.size());
}

// Only some of libarchive's filters: others start programs or accept plain text.
Archive new_reader() {
  Archive reader(archive_read_new(), archive_read_free);
  if (!reader) throw MachineError("out of memory");
  archive_read_support_filter_gzip(reader.get());
  archive_read_support_filter_bzip2(reader.get());
  archive_read_support_filter_xz(reader.get());
  archive_read_support_filter_zstd(reader.get());
  archive_read_support_format_raw(reader.get());
  archive_read_support_format_empty(reader.get());
  return reader;
}

// −1: a pipe.
std::int64_t stored_length(const std::string& path) {
  std::error_code unknown;
  const auto length = std::filesystem::file_size(path, unknown);
  return unknown ? -1 : static_cast<std::int64_t>(length);
}

}  // namespace

Unpacker::Unpacker(const std::string& path)
    : path_(path), source_(path), archive_(new_reader()), growth_(path, stored_length(path)) {
  check(archive_read_open(archive_.get(), &source_, nullptr, next_piece, nullptr));
  archive_entry* entry = nullptr;
  ended_ = check(archive_read_next_header(archive_.get(), &entry)) == ARCHIVE_EOF;
  if (ended_)
    check_end();
  else if (!packed() && seeming_packing(source_.start()))
    fail("");
}

std::string_view Unpacker::next() {
  const void* data = nullptr;
  std::size_t size = 0;
  la_int64_t offset = 0;
  while (!ended_) {
    if (check(archive_read_data_block(archive_.get(), &data, &size, &offset)) == ARCHIVE_EOF) {
      ended_ = true;
      check_end();
    } else if (const std::string_view piece(static_cast<const char*>(data), size); !piece.empty()) {
      if (packed()) growth_.add(size);
      if (gzip()) source_.gzip.unpacked(piece);
      return piece;
    }
  }
  return {};
}

// The compressed stream must end with the file, and the checksum must match.
void Unpacker::check_end() {
  source_.check();
  if (archive_errno(archive_.get()) != 0) fail(archive_error_string(archive_.get()));
  if (!packed()) return;
  const std::int64_t used = archive_filter_bytes(archive_.get(), -1);
  while (!source_.next().empty()) continue;
  source_.check();
  if (used < source_.length()) fail(fmt::format("{} bytes follow its end", source_.length() - used).c_str());
  if (gzip() && !source_.gzip.sound()) fail("its checksum does not match");
}

int Unpacker::check(int result) {
  source_.check();
  if (result == ARCHIVE_OK || result == ARCHIVE_EOF) return result;
  fail(archive_error_string(archive_.get()));
}

void Unpacker::fail(const char* reason) {
  const Packing* packing = seeming_packing(source_.start());
  std::string what = fmt::format("the {} file is damaged or truncated", packing ? packing->name : "packed");
  if (reason && *reason) what += fmt::format(" ({})", reason);
  throw Error(what, path_, "copy or fetch it again");
}

}  // namespace doc2s
