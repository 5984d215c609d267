#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace doc2s::fuzz {

// A file in memory whose path the readers can open.
class InputFile {
 public:
  InputFile();
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& filled(std::string_view bytes);  // its path; it holds these bytes and no others

 private:
  int file_;
  std::string path_;
};

// Reading may succeed or end with an Error. Everything else is a finding: other exceptions, crashes, hangs,
// and memory beyond a small multiple of the input.
int tried(const std::uint8_t* data, std::size_t size,
          const std::function<void(std::string_view bytes)>& read);

// Memory that a target may take whatever it reads, where 8 MB are not enough.
bool allow_beside(std::int64_t bytes);

// The bytes before the first `mark` and behind it: two files in one input.
struct Halves {
  std::string_view first, second;
};
Halves halves(std::string_view bytes, std::string_view mark);

// gzip, bzip2, xz and zstd have a target of their own; to the others such bytes are of no use.
bool seems_packed(std::string_view bytes);

}  // namespace doc2s::fuzz

// What libFuzzer calls: DOC2S_FUZZ_TARGET(bytes) { … read the bytes … }
#define DOC2S_FUZZ_TARGET(bytes)                                                      \
  static void read_input(std::string_view bytes);                                     \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    return doc2s::fuzz::tried(data, size, read_input);                                \
  }                                                                                   \
  static void read_input(std::string_view bytes)
