#include "doc2s/data/files.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <memory>

#include "doc2s/base/error.hpp"
#include "source.hpp"

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

// The packing that a file seems to have, also where it is cut within the magic number itself.
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

using Archive = std::unique_ptr<archive, int (*)(archive*)>;

enum class Format { bytes, tar };

// Not all of libarchive's filters: some start other programs, some take plain text for packed.
Archive new_reader(Format format) {
  Archive reader(archive_read_new(), archive_read_free);
  if (!reader) throw MachineError("memory is short");
  archive_read_support_filter_gzip(reader.get());
  archive_read_support_filter_bzip2(reader.get());
  archive_read_support_filter_xz(reader.get());
  archive_read_support_filter_zstd(reader.get());
  if (format == Format::tar) archive_read_support_format_tar(reader.get());
  if (format == Format::bytes) archive_read_support_format_raw(reader.get());
  archive_read_support_format_empty(reader.get());
  return reader;
}

class Unpacker {
 public:
  Unpacker(const std::string& path, Format format)
      : path_(path), format_(format), source_(path), archive_(new_reader(format)) {
    check(archive_read_open(archive_.get(), &source_, nullptr, next_piece, nullptr));
  }

  void bytes(const TakePiece& take) {
    if (next_entry()) unpack(take);
    check_end();
  }

  // Gzip's own checksum is not looked at here: its bytes pass the tar reader, which keeps the frame to
  // itself.
  void members(const std::function<TakePiece(const std::string&)>& wanted) {
    while (archive_entry* entry = next_entry()) {
      const char* name = archive_entry_pathname(entry);
      if (!name || archive_entry_filetype(entry) != AE_IFREG) continue;
      const TakePiece take = wanted(name);
      if (!take) continue;
      if (archive_entry_sparse_reset(entry) > 0) fail("its files have holes");
      unpack(take);
    }
    source_.check();
    if (archive_errno(archive_.get()) != 0) fail(archive_error_string(archive_.get()));
  }

 private:
  archive_entry* next_entry() {
    archive_entry* entry = nullptr;
    return check(archive_read_next_header(archive_.get(), &entry)) == ARCHIVE_EOF ? nullptr : entry;
  }

  bool packed() const { return archive_filter_code(archive_.get(), 0) != ARCHIVE_FILTER_NONE; }

  void unpack(const TakePiece& take) {
    const bool gzip = archive_filter_code(archive_.get(), 0) == ARCHIVE_FILTER_GZIP;
    if (!packed() && seeming_packing(source_.start())) fail("");
    const void* data = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    while (check(archive_read_data_block(archive_.get(), &data, &size, &offset)) != ARCHIVE_EOF) {
      const std::string_view piece(static_cast<const char*>(data), size);
      if (gzip) source_.gzip.unpacked(piece);
      if (!piece.empty()) take(piece);
    }
  }

  // The packed stream ends where the file ends, and the checksum agrees.
  void check_end() {
    source_.check();
    if (archive_errno(archive_.get()) != 0) fail(archive_error_string(archive_.get()));
    if (!packed()) return;
    const std::int64_t used = archive_filter_bytes(archive_.get(), -1);
    while (!source_.next().empty()) continue;
    source_.check();
    if (used < source_.length())
      fail(fmt::format("{} bytes follow its end", source_.length() - used).c_str());
    if (archive_filter_code(archive_.get(), 0) == ARCHIVE_FILTER_GZIP && !source_.gzip.sound())
      fail("its checksum does not agree");
  }

  int check(int result) {
    source_.check();
    if (result == ARCHIVE_OK || result == ARCHIVE_EOF) return result;
    fail(archive_error_string(archive_.get()));
  }

  [[noreturn]] void fail(const char* reason) {
    const Packing* packing = seeming_packing(source_.start());
    std::string what =
        fmt::format("the {} is damaged or cut short", format_ == Format::tar ? "archive"
                                                      : packing ? std::string(packing->name) + " file"
                                                                : "packed file");
    if (reason && *reason) what += fmt::format(" ({})", reason);
    throw Error(what, path_, "copy or fetch it again");
  }

  std::string path_;
  Format format_;
  Source source_;
  Archive archive_;
};

}  // namespace

void read_pieces(const std::string& path, const TakePiece& take) {
  Unpacker(path, Format::bytes).bytes(take);
}

std::string read_whole(const std::string& path) {
  std::string bytes;
  read_pieces(path, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

std::string read_start(const std::string& path, std::size_t most) {
  struct Enough {};
  std::string start;
  try {
    read_pieces(path, [&](std::string_view piece) {
      start += piece.substr(0, most - start.size());
      if (start.size() == most) throw Enough();
    });
  } catch (Enough) {
  }
  return start;
}

void read_members(const std::string& path,
                  const std::function<TakePiece(const std::string& member)>& wanted) {
  Unpacker(path, Format::tar).members(wanted);
}

}  // namespace doc2s
