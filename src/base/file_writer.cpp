#include "file_writer.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "doc2s/base/error.hpp"

namespace doc2s {

namespace {

constexpr std::size_t buffer_bytes = 64 * 1024;

}  // namespace

FileWriter::FileWriter(std::string path) : path_(std::move(path)) { open(O_CREAT | O_TRUNC); }

FileWriter::FileWriter(std::string path, Index kept) : path_(std::move(path)), size_(kept) {
  open(0);
  struct stat there {};
  int failure = fstat(file_, &there) == 0 ? 0 : errno;
  if (failure == 0 && there.st_size >= kept &&
      (ftruncate(file_, kept) != 0 || lseek(file_, kept, SEEK_SET) < 0))
    failure = errno;
  if (failure == 0 && there.st_size >= kept) return;
  close(file_);
  if (failure != 0) fail(failure);
  throw Error("is shorter than expected", path_, "its end was removed");
}

FileWriter::~FileWriter() { close(file_); }

void FileWriter::open(int flags) {
  file_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
  if (file_ < 0) fail(errno);
  buffer_.reserve(buffer_bytes);
}

void FileWriter::fail(int error_number) const {
  throw_system_error("cannot be written", path_, error_number);
}

void FileWriter::put(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail(written < 0 ? errno : ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void FileWriter::write(std::span<const std::byte> bytes) {
  size_ += static_cast<Index>(bytes.size());
  if (buffer_.size() + bytes.size() > buffer_bytes) flush();
  if (bytes.size() > buffer_bytes) return put(bytes);
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

void FileWriter::flush() {
  put(buffer_);
  buffer_.clear();
}

Index FileWriter::sync() {
  flush();
  if (fsync(file_) != 0 && errno != EINVAL && errno != EROFS) fail(errno);  // pipes return EINVAL or EROFS
  return size_;
}

void write_whole(const std::string& folder, const std::string& name,
                 const std::function<void(FileWriter&)>& put) {
  const std::string part = folder + "/." + name + ".part", whole = folder + "/" + name;
  try {
    FileWriter out(part);
    put(out);
    out.sync();
    if (std::rename(part.c_str(), whole.c_str()) != 0) throw_system_error("cannot be written", whole, errno);
    sync_folder(folder);
  } catch (...) {
    std::remove(part.c_str());
    throw;
  }
}

void write_whole(const std::string& folder, const std::string& name, std::string_view bytes) {
  write_whole(folder, name, [&](FileWriter& out) { out.write(bytes); });
}

void sync_folder(const std::string& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) throw_system_error("cannot be opened", path, errno);
  const int failure = fsync(folder) == 0 ? 0 : errno;
  close(folder);
  if (failure != 0 && failure != EINVAL) throw_system_error("cannot be written", path, failure);
}

}  // namespace doc2s
