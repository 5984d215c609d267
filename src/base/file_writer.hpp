// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

// A file written sequentially through a buffer. Errors are thrown at once or at the next flush().
class FileWriter {
 public:
  explicit FileWriter(std::string path);            // created or truncated
  FileWriter(std::string path, std::string shown);  // the same; errors name it as `shown`
  FileWriter(std::string path, Index kept);         // an existing file, truncated to `kept` bytes
  ~FileWriter();                                    // discards what was not flushed
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  void write_line(std::string_view line) { write(line), write("\n"); }
  template <class Number>
  void write_numbers(std::span<const Number> numbers) {
    write(std::as_bytes(numbers));
  }

  void flush();  // to the operating system, so that other processes see it
  Index sync();  // to the disk; returns the size
  Index size() const { return size_; }
  const std::string& path() const { return path_; }

 private:
  void open(int flags);
  std::size_t put_some(std::span<const std::byte> bytes);
  void put(std::span<const std::byte> bytes);
  [[noreturn]] void fail(int error_number) const;

  std::string path_, shown_;
  int file_ = -1;
  Index size_ = 0;  // including the buffer
  std::vector<std::byte> buffer_;
};

using PutFile = std::function<void(FileWriter&)>;

// Writes a file under a temporary name and renames it when it is complete and on the disk.
void write_whole(const std::string& folder, const std::string& name, const PutFile& put);
void write_whole(const std::string& folder, const std::string& name, std::string_view bytes);
void write_whole_file(const std::string& path, const PutFile& put);
void write_whole_file(const std::string& path, std::string_view bytes);

// Each throws the error of the system where it fails.
void rename_file(const std::string& from, const std::string& to);
void make_folders(const std::string& path);  // with those above it

// Makes renames and removals in a folder durable.
void sync_folder(const std::string& path);

}  // namespace doc2s
