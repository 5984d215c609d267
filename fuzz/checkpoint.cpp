#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <cstring>

#include "checkpoint/checkpoint_file.hpp"
#include "target.hpp"

namespace {

using namespace doc2s;

void seal(std::string& file, std::string_view bytes) {
  const XXH64_hash_t hash = XXH3_64bits(bytes.data(), bytes.size());
  file += bytes;
  file.append(reinterpret_cast<const char*>(&hash), sizeof hash);
}

std::string_view taken(std::string_view& bytes, std::size_t count) {
  const std::string_view part = bytes.substr(0, count);
  bytes.remove_prefix(part.size());
  return part;
}

// The input as header, heads and blocks. The hashes are added here, because no mutation would find them.
std::string sealed(std::string_view bytes) {
  std::string file;
  seal(file, taken(bytes, sizeof(CheckpointHeader)));
  while (!bytes.empty()) {
    BlockHead head;
    const std::string_view given = taken(bytes, sizeof head);
    std::memcpy(&head, given.data(), given.size());
    seal(file, given);
    const bool fits = head.count > 0 && head.part_bytes >= 0 && head.part_bytes < 4096;
    seal(file, taken(bytes, fits ? static_cast<std::size_t>(head.count) * head.part_bytes : 16));
  }
  return file;
}

void read_all(const std::string& path) {
  const CheckpointReader reader(path);
  reader.verify();
  std::array<std::array<std::byte, 8>, 4> parts;
  for (const std::string& name : reader.names()) {
    if (reader.bytes(name) > reader.size()) std::abort();
    reader.read(name, {0, 4}, 8, [&](int client) { return std::span(parts.at(client)); });
  }
}

}  // namespace

DOC2S_FUZZ_TARGET(bytes) {
  static doc2s::fuzz::InputFile file;
  const bool raw = !bytes.empty() && bytes.front() == 'r';
  if (!bytes.empty()) bytes.remove_prefix(1);
  read_all(file.filled(raw ? std::string(bytes) : sealed(bytes)));
}
