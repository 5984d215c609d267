// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace doc2s::fuzz {

// An in-memory file with a path that the readers can open.
class InputFile {
 public:
  InputFile();
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& filled(std::string_view bytes);  // fills the file with these bytes and returns its path

 private:
  int file_;
  std::string path_;
};

// A folder in memory.
class Folder {
 public:
  explicit Folder(const std::string& name);
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& path() const { return path_; }
  void write(const std::string& name, std::string_view bytes) const;

 private:
  std::string path_;
};

// Reading may succeed or throw Error. Everything else is a finding: other exceptions, crashes, hangs, and
// memory beyond a small multiple of the input.
int tried(const std::uint8_t* data, std::size_t size,
          const std::function<void(std::string_view bytes)>& read);

// Raises the constant part of the memory limit from 8 MB.
bool allow_beside(std::int64_t bytes);

// The bytes before and after the first `mark`: two files in one input.
struct Halves {
  std::string_view first, second;
};
Halves halves(std::string_view bytes, std::string_view mark);

// gzip, bzip2, xz and zstd have their own target; the other targets skip such input.
bool seems_packed(std::string_view bytes);

}  // namespace doc2s::fuzz

// Defines libFuzzer's entry point: DOC2S_FUZZ_TARGET(bytes) { … read the bytes … }
#define DOC2S_FUZZ_TARGET(bytes)                                                      \
  static void read_input(std::string_view bytes);                                     \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    return doc2s::fuzz::tried(data, size, read_input);                                \
  }                                                                                   \
  static void read_input(std::string_view bytes)
