#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "doc2s/base/types.hpp"

namespace doc2s {

// A file that is written from one end to the other. What goes wrong is thrown at once, or at the next
// flush().
class FileWriter {
 public:
  explicit FileWriter(std::string path);     // made anew
  FileWriter(std::string path, Index kept);  // what is there already, cut off after `kept` bytes
  ~FileWriter();                             // without a flush() before, what is under way is lost
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  void write_line(std::string_view line) { write(line), write("\n"); }
  template <class Number>
  void write_numbers(std::span<const Number> numbers) {
    write(std::as_bytes(numbers));
  }

  void flush();  // to the system: another process sees it
  Index sync();  // to the disk: it outlives a power cut; says the size
  Index size() const { return size_; }
  const std::string& path() const { return path_; }

 private:
  void open(int flags);
  void put(std::span<const std::byte> bytes);
  [[noreturn]] void fail(int error_number) const;

  std::string path_;
  int file_ = -1;
  Index size_ = 0;  // with what is in the buffer
  std::vector<std::byte> buffer_;
};

// A file that appears under its name only when it is complete: `put` writes it under another one.
void write_whole(const std::string& folder, const std::string& name,
                 const std::function<void(FileWriter&)>& put);
void write_whole(const std::string& folder, const std::string& name, std::string_view bytes);

// Makes what was renamed or removed in a folder outlive a power cut.
void sync_folder(const std::string& path);

}  // namespace doc2s
