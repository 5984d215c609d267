// SPDX-License-Identifier: Apache-2.0
#include "file_writer.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "doc2s/base/error.hpp"
#include "uninterrupted.hpp"

namespace doc2s {

namespace {

constexpr std::size_t buffer_bytes = 64 * 1024;

}  // namespace

FileWriter::FileWriter(std::string path) : FileWriter(path, path) {}

FileWriter::FileWriter(std::string path, std::string shown)
    : path_(std::move(path)), shown_(std::move(shown)) {
  open(O_CREAT | O_TRUNC);
}

FileWriter::FileWriter(std::string path, Index kept) : path_(path), shown_(path), size_(kept) {
  open(0);
  struct stat there {};
  int failure = fstat(file_, &there) == 0 ? 0 : errno;
  if (failure == 0 && there.st_size >= kept &&
      (uninterrupted([&] { return ftruncate(file_, kept); }) != 0 || lseek(file_, kept, SEEK_SET) < 0))
    failure = errno;
  if (failure == 0 && there.st_size >= kept) return;
  close(file_);
  if (failure != 0) fail(failure);
  throw Error("is shorter than expected", path_, "its end was removed");
}

FileWriter::~FileWriter() { close(file_); }

void FileWriter::open(int flags) {
  file_ = uninterrupted([&] { return ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666); });
  if (file_ < 0) fail(errno);
  buffer_.reserve(buffer_bytes);
}

void FileWriter::fail(int error_number) const {
  throw_system_error("cannot be written", shown_, error_number);
}

// How many bytes the system took.
std::size_t FileWriter::put_some(std::span<const std::byte> bytes) {
  const ssize_t written = uninterrupted([&] { return ::write(file_, bytes.data(), bytes.size()); });
  if (written <= 0) fail(written < 0 ? errno : ENOSPC);
  return static_cast<std::size_t>(written);
}

void FileWriter::put(std::span<const std::byte> bytes) {
  while (!bytes.empty()) bytes = bytes.subspan(put_some(bytes));
}

void FileWriter::write(std::span<const std::byte> bytes) {
  size_ += static_cast<Index>(bytes.size());
  if (buffer_.size() + bytes.size() > buffer_bytes) flush();
  if (bytes.size() > buffer_bytes) return put(bytes);
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

// What was written leaves the buffer also where the rest fails: whoever flushes again does not write it
// twice.
void FileWriter::flush() {
  while (!buffer_.empty())
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(put_some(buffer_)));
}

Index FileWriter::sync() {
  flush();
  const int failed = uninterrupted([&] { return fsync(file_); });
  if (failed != 0 && errno != EINVAL && errno != EROFS) fail(errno);  // pipes return EINVAL or EROFS
  return size_;
}

void rename_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) throw_system_error("cannot be written", to, errno);
}

void write_whole(const std::string& folder, const std::string& name, const PutFile& put) {
  const std::string part = folder + "/." + name + ".part", whole = folder + "/" + name;
  try {
    FileWriter out(part, whole);
    put(out);
    out.sync();
    rename_file(part, whole);
    sync_folder(folder);
  } catch (...) {
    std::remove(part.c_str());
    throw;
  }
}

void write_whole(const std::string& folder, const std::string& name, std::string_view bytes) {
  write_whole(folder, name, [&](FileWriter& out) { out.write(bytes); });
}

void write_whole_file(const std::string& path, const PutFile& put) {
  std::error_code unknown;
  if (path.empty()) throw Error("the name of the file to write is empty");
  if (std::filesystem::is_directory(path, unknown))
    throw Error("is a directory", path, "give the name of a file");
  const std::filesystem::path whole(path), folder = whole.parent_path();
  write_whole(folder.empty() ? "." : folder.string(), whole.filename().string(), put);
}

void write_whole_file(const std::string& path, std::string_view bytes) {
  write_whole_file(path, [&](FileWriter& out) { out.write(bytes); });
}

void make_folders(const std::string& path) {
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (failed) throw_system_error("cannot be made a directory", path, failed.value());
}

void sync_folder(const std::string& path) {
  const int folder = uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (folder < 0) throw_system_error("cannot be opened", path, errno);
  const int failure = uninterrupted([&] { return fsync(folder); }) == 0 ? 0 : errno;
  close(folder);
  if (failure != 0 && failure != EINVAL) throw_system_error("cannot be written", path, failure);
}

}  // namespace doc2s
