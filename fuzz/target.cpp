// SPDX-License-Identifier: Apache-2.0
#include "target.hpp"

#include <sanitizer/allocator_interface.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "doc2s/base/error.hpp"

namespace doc2s::fuzz {

namespace {

// Allocated bytes, counted by hooks of the sanitizer's allocator.
std::atomic<std::int64_t> held{0}, peak{0};

void on_malloc(const volatile void*, std::size_t size) {
  const std::int64_t now = held += static_cast<std::int64_t>(size);
  if (now > peak) peak = now;
}

void on_free(const volatile void* memory) {
  if (memory) held -= static_cast<std::int64_t>(__sanitizer_get_allocated_size(const_cast<void*>(memory)));
}

[[maybe_unused]] const int installed = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);

// The constant covers what any reader needs: buffers, tables, libarchive.
constexpr std::int64_t most_each_byte = 256;
std::int64_t most_beside = 8 << 20;

void check_peak(std::size_t size, std::int64_t before) {
  const std::int64_t used = peak - before;
  if (used <= most_beside + most_each_byte * static_cast<std::int64_t>(size)) return;
  std::fprintf(stderr, "an input of %zu bytes took %lld bytes of memory\n", size,
               static_cast<long long>(used));
  std::abort();
}

}  // namespace

InputFile::InputFile()
    : file_(memfd_create("input", MFD_CLOEXEC)), path_("/proc/self/fd/" + std::to_string(file_)) {
  if (file_ < 0) std::abort();
}

InputFile::~InputFile() { close(file_); }

const std::string& InputFile::filled(std::string_view bytes) {
  const bool emptied = ftruncate(file_, 0) == 0;
  if (!emptied || pwrite(file_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    std::abort();
  return path_;
}

Folder::Folder(const std::string& name)
    : path_("/dev/shm/doc2s-fuzz-" + name + "-" + std::to_string(getpid())) {
  std::filesystem::create_directories(path_);
}

Folder::~Folder() { std::filesystem::remove_all(path_); }

void Folder::write(const std::string& name, std::string_view bytes) const {
  std::ofstream(path_ + "/" + name, std::ios::binary) << bytes;
}

int tried(const std::uint8_t* data, std::size_t size, const std::function<void(std::string_view)>& read) {
  const std::int64_t before = held;
  peak = before;
  try {
    read({reinterpret_cast<const char*>(data), size});
  } catch (const Error&) {
  }
  check_peak(size, before);
  return 0;
}

bool allow_beside(std::int64_t bytes) {
  most_beside = bytes;
  return true;
}

Halves halves(std::string_view bytes, std::string_view mark) {
  const std::size_t at = bytes.find(mark);
  if (at == bytes.npos) return {bytes, {}};
  return {bytes.substr(0, at), bytes.substr(at + mark.size())};
}

bool seems_packed(std::string_view bytes) {
  using namespace std::literals;
  constexpr std::string_view starts[] = {"\x1f\x8b"sv, "BZh"sv, "\xfd\x37zXZ"sv, "\x28\xb5\x2f\xfd"sv};
  return std::any_of(std::begin(starts), std::end(starts),
                     [&](std::string_view start) { return bytes.starts_with(start); });
}

}  // namespace doc2s::fuzz
